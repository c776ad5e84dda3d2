/* The Chinese words in their own punctuation: no Latin comma, stop, colon or semicolon right after a Chinese
 * character or its closing bracket, outside arrays such as [头, 词元]; and sentences joined in files.
 */
import assert from 'node:assert/strict';
import {readdirSync, readFileSync} from 'node:fs';
import {test} from 'node:test';
import {oneText} from '../../web/draw/wrap.js';

const LATIN = /[\p{Script=Han}”’）」》][,.:;?!](?=[\s\p{Script=Han}'`$]|$)/u;

/** Lines of a file of words with Latin punctuation in Chinese; not those of patterns or comments. */
const amiss = text =>
    text
        .split('\n')
        .filter(line => !/^\s*(\/?\*|\/\/|find:)/.test(line))
        .map(line => line.replace(/\[[^\]]*\]/g, ''))
        .filter(line => LATIN.test(line));

test('Chinese words have Chinese punctuation', () => {
    for (const line of ["a: '它在看什么. ',", "a: '街道, 动物',", 'a: `头（一）: ${x}`,'])
        assert.equal(amiss(line).length, 1, line);
    assert.deepEqual(amiss("a: '张量 [头, 词元]，类型为 F32、.npy。',"), []);
    const folder = 'web/words/zh/';
    for (const name of readdirSync(folder))
        assert.deepEqual(amiss(readFileSync(folder + name, 'utf8')), [], name);
});

test('texts put together have one stop each: their own, or one of their language', () => {
    assert.equal(
        oneText(['too tired.', 'Attention', '', 'Head view']),
        'too tired. Attention. Head view',
    );
    for (const end of ['?', '!', '…', '。', '？', '！', '."'])
        assert.equal(oneText([`x${end}`, 'y']), `x${end} y`);
    assert.equal(oneText(['注意力', '一句。']), '注意力。 一句。');
    assert.equal(oneText([]), '');
});
