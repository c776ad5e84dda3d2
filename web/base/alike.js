/* alike - the similarity of two embeddings of texts: their cosine, or the one that the model's folder names; the
 * number of hl_similarity.
 */
/** @param {Float32Array} x @param {Float32Array} y @param {'cosine' | 'dot' | 'euclidean' | 'manhattan'} [kind] */
export function alike(x, y, kind) {
    let [product, ofX, ofY, squares, sizes] = [0, 0, 0, 0, 0];
    for (let i = 0; i < x.length; i++) {
        product += x[i] * y[i];
        ofX += x[i] * x[i];
        ofY += y[i] * y[i];
        squares += (x[i] - y[i]) ** 2;
        sizes += Math.abs(x[i] - y[i]);
    }
    if (kind === 'dot') return Math.fround(product);
    if (kind === 'euclidean') return Math.fround(-Math.sqrt(squares));
    if (kind === 'manhattan') return Math.fround(-sizes);
    return ofX > 0 && ofY > 0 ? Math.fround(product / Math.sqrt(ofX * ofY)) : 0;
}
