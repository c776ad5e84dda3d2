/* Turns of phrase that readers stumbled over, which have grown back before: in the page's English words, in the API's manual and
 * in the documentation; and headings of files that begin with a relative clause ("what the view shows") where a noun or a verb
 * says it ("the numbers of the view", "chooses the file"). Each row names the better words.
 */
import assert from 'node:assert/strict';
import {execFileSync} from 'node:child_process';
import {readFileSync} from 'node:fs';
import {test} from 'node:test';
import {root} from './lib/model.mjs';

const BANNED = [
    [/\beven (attention|share|head|weights?)\b/i, 'uniform attention'],
    [/\bin place of\b/i, 'instead of'],
    [/\bstands?\b/i, 'is, lies, refers to'],
    [/\b(is|are) (said|told|had|taken over)\b/i, 'a plain verb: says, has, reuses'],
    [/\bsaid (so|why|here|there)\b/i, 'says'],
    [/\blooks? (at )?(all .*)?alike\b|\bacts? alike\b|\bmost alike\b/i, 'similar, uniform'],
    [/\bof so many\b/i, 'the number'],
    [/\bthe usual (one|precision)\b/i, 'the default'],
];
const RELATIVE = /^(what|which|where|how|when|who|whether)\b/i;

const listed = pattern =>
    execFileSync('git', ['ls-files', '--cached', '--others', '--exclude-standard'], {
        cwd: root,
        encoding: 'utf8',
    })
        .trim()
        .split('\n')
        .filter(file => pattern.test(file));
const read = file => readFileSync(`${root}${file}`, 'utf8');

/** The lines that a reader reads, with their place: of scripts what is in quotation marks. */
function* lines(file) {
    const generated = '<!-- files: written by';
    for (const [i, line] of read(file).split(generated)[0].split('\n').entries()) {
        if (!file.endsWith('.js')) yield [`${file}:${i + 1}`, line];
        else if (!/^\s*(\/\/|\/?\*|import )/.test(line))
            yield [`${file}:${i + 1}`, (line.match(/'[^']*'|`[^`]*`?|"[^"]*"/g) ?? []).join(' ')];
    }
}

const offences = (files, banned = BANNED) =>
    files.flatMap(file =>
        [...lines(file)].flatMap(([place, line]) =>
            banned
                .filter(([turn]) => turn.test(line))
                .map(([turn, better]) => `${place}: ${turn.exec(line)[0]} → ${better}`),
        ),
    );

test("the page's English words have no turn of phrase that readers stumbled over", () => {
    const files = listed(/^web\/words\/en\/.*\.js$/);
    assert.ok(files.length > 5);
    assert.deepEqual(offences(files), []);
});

test("nor do the API's manual, README and the documentation", () => {
    assert.deepEqual(
        offences(['src/headlight.h', ...listed(/^([A-Z]+\.md|docs\/.*\.md|web\/README\.md)$/)]),
        [],
    );
});

test('no heading of a file begins with a relative clause', () => {
    const begins = listed(/^(src|web|tests|build)\/.*\.(c|h|js|mjs)$/).map(file => [
        file,
        /^(?:#!.*\n)?\/\*+\s*\S+ - (.*)/.exec(read(file))?.[1] ?? '',
    ]);
    assert.ok(begins.filter(([, text]) => text).length > 500);
    assert.deepEqual(
        begins.filter(([, text]) => RELATIVE.test(text)),
        [],
    );
});

test('the test finds what it looks for', () => {
    for (const line of [
        'even attention',
        'in place of 7',
        'it stands here',
        'is said so',
        'heads that act alike',
    ])
        assert.ok(
            BANNED.some(([turn]) => turn.test(line)),
            line,
        );
    assert.ok(RELATIVE.test('what the view shows'));
});
