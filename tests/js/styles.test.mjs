/* styles - study.css comes with the studies and stays when the reader goes back to a text: a class that
 * begins a rule there is no class of that page. (Such a one moved the second of two figures by 14 px, but
 * only after a visit to the studies.)
 */
import assert from 'node:assert/strict';
import {readdirSync, readFileSync} from 'node:fs';
import {join} from 'node:path';
import {test} from 'node:test';
import {signedColour} from '../../web/draw/marks/signed.js';
import {paperOf} from '../../web/draw/paper.js';
import {STYLE} from '../../web/element/style.js';
import {root} from './lib/model.mjs';

const read = name => readFileSync(join(root, 'web', name), 'utf8');

/** The classes with which rules of a sheet begin. */
const begun = css =>
    new Set(
        [...css.replace(/\/\*.*?\*\/|\([^()]*\)/gs, '').matchAll(/([^{}]+)\{/g)]
            .flatMap(([, selectors]) => selectors.split(','))
            .flatMap(selector => /^\s*\.([\w-]+)/.exec(selector)?.[1] ?? []),
    );

/** The words that stand in class names of the sources of a text's page. */
function classesOf(folder) {
    const words = new Set();
    for (const name of readdirSync(join(root, 'web', folder), {recursive: true})) {
        if (!/\.js$/.test(name) || /(^|[/\\])(study|studies)[/\\]/.test(`${folder}/${name}`))
            continue;
        for (const [, , value] of read(`${folder}/${name}`).matchAll(
            /\bclass(Name)?: [^\n]*?(['`][^'`\n]*['`][^\n}]*)/g,
        ))
            for (const [word] of value.matchAll(/[\w-]+/g)) words.add(word);
    }
    return words;
}

test('no rule of study.css begins with a class of a text’s page', () => {
    const rooms = readdirSync(join(root, 'web'), {withFileTypes: true}).flatMap(entry =>
        entry.isDirectory() && !['node_modules', 'words'].includes(entry.name) ? entry.name : [],
    );
    const used = new Set(rooms.flatMap(folder => [...classesOf(folder)]));
    assert.ok(used.has('figure-caption') && used.has('second-bar') && used.has('compared'));
    const studies = begun(read('studies/study.css'));
    assert.ok(studies.has('role-cell') && studies.has('hm-cell'));
    assert.deepEqual(
        [...studies].filter(name => used.has(name)),
        [],
    );
});

test('the colours that a canvas, a file and the element have written out are those of tokens.css', () => {
    const own = new Map(
        [...read('shell/tokens.css').matchAll(/--(\w+): light-dark\((\S+), (\S+)\);/g)].map(
            ([, name, light, dark]) => [name, [light, dark]],
        ),
    );
    assert.equal(own.size, 11);
    const [light, dark] = ['light', 'dark'].map(paperOf);
    for (const name of Object.keys(light))
        assert.deepEqual([light[name], dark[name]], own.get(name === 'bar' ? 'positive' : name));
    for (const [at, theme] of ['light', 'dark'].entries())
        for (const [sign, name] of [
            [1, 'positive'],
            [-1, 'negative'],
        ])
            assert.equal(signedColour(sign, theme), own.get(name)[at]);
    const long = hex => hex.replace(/^#(\w)(\w)(\w)$/, '#$1$1$2$2$3$3');
    const element = [
        ...STYLE.matchAll(/--(\w+):var\(--headlight-\w+,light-dark\((\S+?),(\S+?)\)/g),
    ];
    assert.equal(element.length, 8);
    for (const [, name, ...pair] of element) assert.deepEqual(pair.map(long), own.get(name), name);
});

/** The rules of a sheet: [what is around (@media), selectors]; a rule's own @media is inside of it. */
function rulesOf(css) {
    const rules = [];
    const around = [];
    for (const [, head, mark] of css
        .replace(/\/\*.*?\*\//gs, '')
        .matchAll(/([^{};]*(?:;[^{};]*)*?)([{}])/gs)) {
        if (mark === '}') around.pop();
        else {
            const last = head.split(';').at(-1).trim().replace(/\s+/g, ' ');
            if (!last.startsWith('@') && !/@keyframes/.test(around.join()))
                rules.push([around.filter(one => one.startsWith('@')).join(' '), last]);
            around.push(last);
        }
    }
    return rules;
}

/** Selectors of a list, which a comma within parentheses does not end. */
const selectorsOf = list => list.split(/,(?![^(]*\))/).map(one => one.trim());
const namesOf = selector => [
    ...new Set(
        [...selector.replace(/"[^"]*"/g, '').matchAll(/[.#]([a-zA-Z_][\w-]*)/g)].map(
            ([, name]) => name,
        ),
    ),
];

/** The sources of a room. */
const words = room =>
    readdirSync(join(root, 'web', room), {recursive: true})
        .filter(name => /\.js$/.test(name))
        .map(name => read(`${room}/${name}`))
        .join(' ');
/** Whether a class is written in a source, whole or as the end of a name that is put together. */
const spelt = (text, name) =>
    new RegExp(`\\b${name}\\b`).test(text) ||
    (name.includes('-') && new RegExp(`\\}${name.slice(name.indexOf('-'))}\\b`).test(text));

/** Lines of all sheets. Where a rule needs room, a shared part makes some: shell/base.css, shell/tokens.css. */
const LINES = 5000;
const SHARED = ['shell', 'draw', 'views/parts'];
const sheets = [
    ...[...read('style.css').matchAll(/@import "\.\/(.*?)"/g)].map(([, name]) => name),
    'studies/study.css',
];
const roomOf = sheet => sheet.replace(/\/[^/]*$/, '');

test('no selector names a class of another room, but of those that all rooms use', () => {
    const rules = sheets.flatMap(sheet =>
        rulesOf(read(sheet)).flatMap(([, head]) =>
            selectorsOf(head).map(selector => ({sheet, selector})),
        ),
    );
    assert.ok(rules.length > 1000, `${rules.length} selectors`);
    const homes = new Map();
    for (const {sheet, selector} of rules)
        for (const name of namesOf(selector))
            homes.set(name, new Set([...(homes.get(name) ?? []), roomOf(sheet)]));
    const isShared = name => [...homes.get(name)].some(room => SHARED.includes(room));
    /** Whether the room alone has a class: one that two rooms use says in whose it is meant. */
    const isOwn = (name, room) => homes.get(name).size === 1 && homes.get(name).has(room);
    const across = rules.filter(({sheet, selector}) => {
        const names = namesOf(selector).filter(name => !isShared(name));
        return names.length > 0 && !names.some(name => isOwn(name, roomOf(sheet)));
    });
    assert.deepEqual(across, []);
    const used = new Map(
        [...new Set(sheets.map(roomOf))].map(room => [
            room,
            ['studies'].includes(room)
                ? `${words('studies')} ${words('views/study')}`
                : words(room),
        ]),
    );
    const foreign = [...homes].flatMap(([name, [room]]) => {
        if (isShared(name) || `views/${name}` === `${room}-view`) return []; // draw/ writes that one
        if (spelt(used.get(room), name)) return [];
        const others = [...used].filter(([other, text]) => other !== room && spelt(text, name));
        return others.length ? [`${name} of ${room}: in ${others.map(([other]) => other)}`] : [];
    });
    assert.deepEqual(foreign, []);
});

test('at most ten selectors have more than one rule of their own', () => {
    const seen = new Map();
    for (const sheet of sheets)
        for (const [media, head] of rulesOf(read(sheet)))
            if (head && !head.startsWith('@'))
                seen.set(head, [...(seen.get(head) ?? []), `${sheet} ${media}`]);
    const repeated = [...seen].filter(([, places]) => places.length > 1);
    assert.ok(repeated.length <= 10, JSON.stringify(repeated, null, 1));
});

test('the sheets have no more lines than they need', () => {
    const all = ['style.css', 'embed.css', ...sheets];
    const lines = all.reduce((sum, sheet) => sum + read(sheet).split('\n').length - 1, 0);
    assert.ok(lines <= LINES, `${lines} lines`);
});

test('every class of a selector is made somewhere', () => {
    const made = [
        read('index.html'),
        read('embed.html'),
        ...readdirSync(join(root, 'web'), {recursive: true})
            .filter(name => /\.js$/.test(name) && !/^(node_modules|words)\b/.test(name))
            .map(name => read(name).replace(/\/\*[^]*?\*\/|^\s*\/\/.*$/gm, '')),
    ].join('\n');
    const literal = name => new RegExp(`['"\`\\s.]${name}['"\`\\s.$]`).test(made);
    const composed = name => {
        const [from, to] = [name.indexOf('-') + 1, name.indexOf('-')];
        return (
            from > 0 &&
            (made.includes(`${name.slice(0, from)}\${`) || spelt(made, `x${name.slice(to)}`))
        );
    };
    const named = new Set(
        sheets.flatMap(sheet => rulesOf(read(sheet)).flatMap(([, head]) => namesOf(head))),
    );
    assert.deepEqual(
        [...named].filter(name => !literal(name) && !composed(name)),
        [],
    );
});

test('a custom property that is set is read, and one that is read is set', () => {
    const css = sheets.map(read).join('\n');
    const code = readdirSync(join(root, 'web'), {recursive: true})
        .filter(name => /\.js$/.test(name) && !/^node_modules\b/.test(name))
        .map(read)
        .join('\n');
    const namesIn = (text, pattern) => new Set([...text.matchAll(pattern)].map(([, one]) => one));
    const set = namesIn(css, /(--[\w-]+):/g);
    const isRead = namesIn(css, /var\((--[\w-]+)/g);
    assert.deepEqual(
        [...set].filter(name => !isRead.has(name) && !code.includes(name)),
        [],
    );
    assert.deepEqual(
        [...isRead].filter(name => !set.has(name) && !code.includes(name)),
        [],
    );
});
