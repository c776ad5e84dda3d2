/* draw/png: what it compresses, zlib gives back, whatever it is; and a picture is a PNG that says
 * its size, colours and pixels, with the checksums of the format. */
import assert from 'node:assert/strict';
import {test} from 'node:test';
import {crc32, inflateRawSync, inflateSync} from 'node:zlib';
import {dataUri, deflate, pngOf} from '../../web/draw/marks/png.js';

/** Bytes that repeat, that do not, that run, with matches of every length and far away. */
const KINDS = {
    zeros: () => 0,
    rising: i => i & 255,
    'no two alike near by': i => (Math.imul(i, 2654435761) >>> 24) & 255,
    'few values': i => (Math.imul(i, 2654435761) >>> 13) % 3,
    runs: i => (Math.floor(Math.sqrt(i)) * 7) & 63,
    'far away': i => (Math.imul(i % 32768, 2654435761) >>> 24) & 255,
    'too far away': i => (Math.imul(i % 32769, 2654435761) >>> 24) & 255,
};
const SIZES = [0, 1, 2, 3, 4, 10, 11, 257, 258, 259, 260, 261, 517, 4099, 70001];

test('zlib reads what is compressed, and what repeats becomes small', () => {
    for (const [name, byte] of Object.entries(KINDS)) {
        for (const size of SIZES) {
            const bytes = Uint8Array.from({length: size}, (_, i) => byte(i));
            const packed = deflate(bytes);
            assert.deepEqual(inflateRawSync(packed), Buffer.from(bytes), `${name}, ${size}`);
            assert.ok(packed.length <= 4 + Math.ceil(1.13 * size), `${name}: ${packed.length}`);
        }
    }
    assert.ok(deflate(new Uint8Array(70001)).length < 1000);
    // every length of a match, after bytes that do not recur
    for (let n = 3; n <= 300; n++) {
        const start = Array.from({length: n}, (_, i) => (Math.imul(i, 40503) >>> 5) & 255);
        const bytes = Uint8Array.from([...start, 255, 254, ...start]);
        assert.deepEqual(inflateRawSync(deflate(bytes)), Buffer.from(bytes), `a match of ${n}`);
    }
});

test('a picture: signature, size, palette, rows, and the checksum of each part', () => {
    const palette = [
        [255, 0, 1],
        [2, 254, 3],
        [4, 5, 253],
    ];
    const pixels = Uint8Array.from([0, 1, 2, 2, 1, 0]);
    const png = Buffer.from(pngOf(3, palette, pixels));
    assert.equal(png.toString('latin1', 0, 8), '\x89PNG\r\n\x1a\n');
    const parts = {};
    for (let at = 8; at < png.length;) {
        const end = at + 8 + png.readUInt32BE(at);
        assert.equal(png.readUInt32BE(end), crc32(png.subarray(at + 4, end)));
        parts[png.toString('latin1', at + 4, at + 8)] = [...png.subarray(at + 8, end)];
        at = end + 4;
    }
    assert.deepEqual(Object.keys(parts), ['IHDR', 'PLTE', 'IDAT', 'IEND']);
    assert.deepEqual(parts.IHDR, [0, 0, 0, 3, 0, 0, 0, 2, 8, 3, 0, 0, 0]);
    assert.deepEqual(parts.PLTE, palette.flat());
    // inflateSync checks the sum at the end of the data
    assert.deepEqual([...inflateSync(Buffer.from(parts.IDAT))], [0, 0, 1, 2, 0, 2, 1, 0]);
    assert.equal(dataUri(png), `data:image/png;base64,${png.toString('base64')}`);
});
