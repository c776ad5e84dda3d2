/* tokenizer_files - the files of a model's folder that are its tokenizer: load.js reads them, and hub_place.js asks for
 * them. Pure.
 */

import {INDEXES} from '../base/build.js';

/** Marian's: the pieces of a source and of a target, and what numbers both. The page's first worker has no model of two stacks. */
export const SIDES = ['source.spm', 'target.spm', 'vocab.json'];
/** SentencePiece's own file has one of these names. */
export const PIECES = ['sentencepiece.bpe.model', 'spiece.model', 'tokenizer.model', 'spm.model'];
/** The first row whose files are all there. */
export const TOKENIZERS = [
    ...(INDEXES ? [SIDES] : []),
    ['tokenizer.json'],
    ['vocab.txt'],
    ['merges.txt', 'vocab.json'],
    ...PIECES.map(name => [name]),
];
/** What may stand around a vocabulary (a tokenizer.json says it all itself), and how a session calls it.
 * @type {Record<string, import('../worker/wasm.js').TextKind>} */
export const AROUND = {'special_tokens_map.json': 'specialMap', 'added_tokens.json': 'added'};

/** The files that are read, of those that are there. @param {string[]} names */
export function tokenizerFiles(names) {
    const found = TOKENIZERS.find(files => files.every(name => names.includes(name))) ?? [];
    const around = found[0] === 'tokenizer.json' ? [] : Object.keys(AROUND);
    return [...around.filter(name => names.includes(name)), ...found];
}
