/* What a reader writes onto a figure: title, note and marked links as links carry them, however forged;
 * where arrows and their labels stand; and numbers in print, which never lose a digit. */
import assert from 'node:assert/strict';
import {test} from 'node:test';
import {renderToString} from 'preact-render-to-string';
import {attributesFor, readAttribute, ATTRIBUTES} from '../../web/state/attributes.js';
import {defaults, defaultsOf, formatHash, parseHash, update} from '../../web/state/state.js';
import {
    arrowAcross,
    arrowsSvg,
    arrowTo,
    readMarks,
    writeMark,
} from '../../web/draw/marks/arrows.js';
import {MOST, overlong, ownText} from '../../web/draw/own_text.js';
import {decimal, exact, percent} from '../../web/draw/scale.js';
import {OwnText} from '../../web/figure/own_words.js';

const LAYOUT = {width: 480, height: 260, left: 130, right: 350};

test('a text is cut to what is shown, without what draws nothing or turns the text around', () => {
    assert.equal(ownText('  a\u0007b\u202ec \n d ', 'heading'), 'a b c d');
    assert.equal(ownText(' one \r\n\r\n two\u2066 ', 'note'), 'one\n\ntwo');
    for (const kind of ['heading', 'note', 'label']) {
        const long = '😀'.repeat(MOST[kind] + 3);
        assert.equal(ownText(long, kind), '😀'.repeat(MOST[kind]), 'whole characters');
        assert.equal(overlong(long, kind), 3);
        assert.equal(overlong('x', kind), 0);
    }
});

test('links and tags carry them, and what is forged is text', () => {
    const own = {
        heading: '<script>alert(1)</script> & “100%”',
        note: 'a\nb',
        marks: ['2.3:look, here: 50 %', '4.0:', '1.1:<b>'],
    };
    const state = update(defaults, own);
    assert.deepEqual(parseHash(formatHash(state)), state);
    const written = new Map(attributesFor(state));
    for (const [name, value] of Object.entries(own))
        assert.deepEqual(readAttribute(ATTRIBUTES.get(name), written.get(name)), value, name);
    assert.deepEqual(parseHash('#v=2'), defaultsOf('2'), 'old links have none');
    assert.deepEqual(readAttribute(ATTRIBUTES.get('marks'), '2.3:look here'), ['2.3:look here']);
    assert.deepEqual(parseHash('#v=2&marks=2.3').marks, ['2.3:'], 'without a label');
    for (const bad of ['x', '2:a', '-1.2:a', '1.2.3:a', `1.2:${'x'.repeat(65)}`, '%'])
        assert.deepEqual(parseHash(`#v=2&marks=${encodeURIComponent(bad)}`).marks, [], bad);
    const shown = renderToString(OwnText({kind: 'heading', state}));
    assert.match(shown, /&lt;script/);
    assert.doesNotMatch(shown, /<script/);
    assert.equal(OwnText({kind: 'note', state: defaults}), null);
});

test('a mark comes back as it was written', () => {
    const mark = {query: 2, key: 13, label: 'a: b'};
    assert.deepEqual(readMarks([writeMark(mark)]), [mark]);
    assert.equal(writeMark({query: 0, key: 1, label: `${'x'.repeat(50)}`}).length, 44);
});

/** The rectangles behind the labels. */
function labels(svg) {
    const found = [
        ...svg.matchAll(/translate\(([-\d.]+) ([-\d.]+)\)"><rect width="(\d+)" height="(\d+)"/g),
    ];
    return found.map(([, ...numbers]) => numbers.map(Number));
}

test('arrows end at their token; labels keep clear of each other and within the picture', () => {
    const arrows = [0, 1, 2].map(i => arrowAcross(65, 91 + i, LAYOUT, `label ${i}`));
    const svg = renderToString(arrowsSvg(arrows, LAYOUT, 'light'));
    assert.match(svg, /M350,85l-9,-5v10z/);
    const boxes = labels(svg);
    assert.equal(boxes.length, 3);
    boxes.forEach(([x, y, w, high], i) => {
        assert.ok(x >= 0 && y >= 0 && x + w <= LAYOUT.width && y + high <= LAYOUT.height);
        for (const [x2, y2, w2, h2] of boxes.slice(i + 1))
            assert.ok(x + w <= x2 || x2 + w2 <= x || y + high <= y2 || y2 + h2 <= y, `${i}`);
    });
    const long = arrowAcross(13, 13, {...LAYOUT, right: 220}, 'a label of four or five words');
    const [[, , narrow]] = labels(renderToString(arrowsSvg([long], LAYOUT, 'dark')));
    assert.ok(narrow <= 80, 'in lines where columns are near');
    const corner = arrowTo({x: 454, y: 234, size: 26}, LAYOUT, 'here');
    const [[x, y]] = labels(renderToString(arrowsSvg([corner], LAYOUT, 'light')));
    assert.ok(x < 454 && y < 234, 'inwards from a corner');
    assert.equal(arrowsSvg([], LAYOUT, 'light'), null);
});

test('numbers in print keep their digits, and are no false zero or one', () => {
    const said = [0.06, 0.006, 0.996, 1, 0].map(value => [
        decimal(value),
        percent(value),
        exact(value),
    ]);
    assert.deepEqual(said, [
        ['0.06', '6.0 %', '0.0600'],
        ['0.01', '0.6 %', '0.0060'],
        ['>0.99', '99.6 %', '0.9960'],
        ['1.00', '100.0 %', '1.0000'],
        ['0.00', '0.0 %', '0.0000'],
    ]);
});
