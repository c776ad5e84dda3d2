/* version1 - what links, tags and frames without `v` mean by a field that they leave out: the defaults of November 2026, when
 * they were written. Frozen: pages of others hold such links, and they must go on drawing what they drew. Never change a value
 * here (tests/js/compat.test.mjs would fail). An empty model was the first of the menu, which was mini-en; corpus and study
 * are '' for the first, which were `sentences` and `about`: should another one become the first, name them here.
 */
export const version1 = {
    model: 'mini-en', view: 'head', text: 'I went to the store.', textB: 'At the store, I bought fresh strawberries.',
    layer: 0, heads: [], token: -1, picked: [], side: 'query', mix: 'heads', level: 'pieces', top: 100, fillings: false,
    filter: 'all', specials: true, oneBased: false, masked: [], replaced: [], from: -1, to: -1, mapColour: 'layer', off: [],
    zeroed: [], picture: 'lines', keepLayers: [], keepHeads: [], measure: '', order: 'model', opened: '', effects: false,
    step: 0, form: 'vectors', tour: -1, part: 'encoder', desk: 'text', study: '', corpus: '', precision: 'fast',
    otherModel: '', settings: [], tau: 3, alpha: 0.05, correction: 'none', sd: 'population', role: '', lang: '', theme: 'auto',
};
for (const value of Object.values(version1)) Object.freeze(value);
