/* made_edges - edges into a head by patches of one's own (changes of the kinds patch_head, patch_mlp, patch_read), for tests.
 */

const STREAM = ['hidden', 'context', 'embeddings'];

/** Each edge of an answer: all other parts below the reader are patched from the text as it is, and what the reader then
 * reads is patched into a pass that goes on. number(pass): what is looked at.
 * @returns {{change: number, weight: number}[]} */
export function edgesOf(session, text, {layer: reader, head, effects}, number) {
    session.tokenize(text, null);
    const run = (changes, keep) => {
        session.change(changes);
        return session.run({precision: 'fine', keep});
    };
    const seen = changes => {
        const pass = run(changes, ['hidden', 'attention']);
        const found = number(pass);
        pass.release();
        return found;
    };
    const before = seen([]);
    const {heads, layers} = session.describe();
    const parts = Array.from({length: reader}, (_, layer) => [
        ...Array.from({length: heads}, (_, one) => [layer, one]),
        [layer],
    ]).flat();
    if (!(layers > reader)) throw new Error('the reader is in no layer');
    return effects.map(({kind, layer, head: sender, into}) => {
        session.tokenize(text, null);
        const off = kind === 'mlp' ? [layer] : [layer, sender];
        const whole = run([], [...STREAM, 'mlp_out']);
        session.patchFrom(whole, null);
        const rest = parts.filter(part => String(part) !== String(off));
        const held = run(
            [
                [kind, ...off],
                ...rest.map(part => [part.length > 1 ? 'patch_head' : 'patch_mlp', ...part]),
            ],
            [...STREAM, 'q', 'k', 'v'],
        );
        session.patchFrom(held, null);
        const weight = seen([['patch_read', reader, head, 'qkv'.indexOf(into)]]);
        return {change: weight - before, weight};
    });
}
