// charsmap - makes a precompiled_charsmap of a list of rules: the table of SentencePiece's
// normaliser, which tokenizer.json has in base64. Four bytes of size, a Darts double array (each
// unit of 32 bits: the byte that leads to it, where its children are, whether a rule ends here) and
// the strings, each ended by U+0000. For tests and build/grapheme_table.mjs.

// A place where a node's children fit: child `label` of a node whose children are at `base` has the
// place base XOR label. No two nodes have one base: only the label is checked.
function place(node, labels, {used, bases}, free) {
    const reaches = base => (node.at ^ base) < 1 << 21 || ((node.at ^ base) & 255) === 0;
    const fits = base => !bases.has(base) && reaches(base) && labels.every(l => !used[base ^ l]);
    let slot = free;
    while (used[slot] || !fits(slot ^ labels[0])) slot++;
    const base = slot ^ labels[0];
    bases.add(base);
    for (const label of labels) used[base ^ label] = true;
    return base;
}

function trieOf(rules) {
    const root = {kids: new Map(), at: 0, label: 0};
    let value = 0;
    for (const [from, to] of rules) {
        let node = root;
        for (const label of Buffer.from(from)) {
            if (!node.kids.has(label)) node.kids.set(label, {kids: new Map(), label});
            node = node.kids.get(label);
        }
        node.value = value;
        value += Buffer.byteLength(to) + 1;
    }
    return root;
}

// rules: [[from, to], ...], each `from` once
export function charsmap(rules) {
    const units = [],
        taken = {used: [true], bases: new Set()},
        waiting = [trieOf(rules)];
    for (let free = 1; waiting.length;) {
        const node = waiting.pop(),
            ends = node.value !== undefined;
        while (taken.used[free]) free++;
        const labels = [...(ends ? [0] : []), ...node.kids.keys()];
        const base = place(node, labels, taken, free);
        const distance = node.at ^ base;
        const coded = distance < 1 << 21 ? distance << 10 : ((distance >>> 8) << 10) | (1 << 9);
        units[node.at] = (coded | (ends ? 1 << 8 : 0) | node.label) >>> 0;
        if (ends) units[base] = (node.value | (1 << 31)) >>> 0;
        for (const [label, kid] of node.kids) waiting.push(Object.assign(kid, {at: base ^ label}));
    }
    const size = Math.ceil((units.length + 1) / 256) * 256;
    const array = Uint32Array.from({length: size + 1}, (_, i) =>
        i ? (units[i - 1] ?? 0) : 4 * size,
    );
    const strings = Buffer.from(rules.map(([, to]) => `${to}\0`).join(''));
    return Buffer.concat([Buffer.from(array.buffer), strings]).toString('base64');
}
