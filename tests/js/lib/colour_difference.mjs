/* colour_difference - the visible difference of two colours: CIEDE2000 (Luo, Cui and Rigg 2001;
 * Sharma, Wu and Dalal 2005), from sRGB under D65. About 2 can just be seen, 10 is another colour
 * at a glance. */
import {channels} from '../../../web/draw/colour.js';

const DEGREE = Math.PI / 180;

/** Red, green and blue as amounts of light. */
const linear = hex =>
    channels(hex)
        .map(c => c / 255)
        .map(c => (c <= 0.04045 ? c / 12.92 : ((c + 0.055) / 1.055) ** 2.4));

/** [L*, a*, b*] of CIELAB. */
function lab(hex) {
    const [r, g, b] = linear(hex);
    const [x, y, z] = [
        (0.4124564 * r + 0.3575761 * g + 0.1804375 * b) / 0.95047,
        0.2126729 * r + 0.7151522 * g + 0.072175 * b,
        (0.0193339 * r + 0.119192 * g + 0.9503041 * b) / 1.08883,
    ].map(v => (v > 216 / 24389 ? Math.cbrt(v) : ((24389 / 27) * v + 16) / 116));
    return [116 * y - 16, 500 * (x - y), 200 * (y - z)];
}

/** [lightness, chroma, hue in degrees] with a* stretched for greys. */
function polar([l, a, b], stretch) {
    const hue = Math.atan2(b, a * stretch) / DEGREE;
    return [l, Math.hypot(a * stretch, b), hue < 0 ? hue + 360 : hue];
}

const seventh = chroma => Math.sqrt(chroma ** 7 / (chroma ** 7 + 25 ** 7));

function meanHue(h1, h2) {
    if (Math.abs(h1 - h2) <= 180) return (h1 + h2) / 2;
    return h1 + h2 < 360 ? (h1 + h2 + 360) / 2 : (h1 + h2 - 360) / 2;
}

export function difference(one, two) {
    const labs = [lab(one), lab(two)];
    const grey = labs.reduce((sum, [, a, b]) => sum + Math.hypot(a, b) / 2, 0);
    const stretch = 1 + (1 - seventh(grey)) / 2;
    const [[l1, c1, h1], [l2, c2, h2]] = labs.map(values => polar(values, stretch));
    const turn = ((((h2 - h1 + 180) % 360) + 360) % 360) - 180;
    const hues = 2 * Math.sqrt(c1 * c2) * Math.sin((turn / 2) * DEGREE);
    const [lightness, chroma, hue] = [(l1 + l2) / 2, (c1 + c2) / 2, meanHue(h1, h2)];
    const cosine = (times, less) => Math.cos((times * hue - less) * DEGREE);
    const weight =
        1 - 0.17 * cosine(1, 30) + 0.24 * cosine(2, 0) + 0.32 * cosine(3, -6) - 0.2 * cosine(4, 63);
    const off = (lightness - 50) ** 2;
    const parts = [
        (l2 - l1) / (1 + (0.015 * off) / Math.sqrt(20 + off)),
        (c2 - c1) / (1 + 0.045 * chroma),
        hues / (1 + 0.015 * chroma * weight),
    ];
    const twist = 60 * Math.exp(-(((hue - 275) / 25) ** 2)) * DEGREE;
    const rotation = -2 * seventh(chroma) * Math.sin(twist);
    return Math.sqrt(
        parts.reduce((sum, part) => sum + part ** 2, 0) + rotation * parts[1] * parts[2],
    );
}

/** The hue of a colour in OKLCh (Ottosson 2020), degrees. @param {string} hex */
export function hue(hex) {
    const [r, g, b] = linear(hex);
    const [l, m, s] = [
        0.4122214708 * r + 0.5363325363 * g + 0.0514459929 * b,
        0.2119034982 * r + 0.6806995451 * g + 0.1073969566 * b,
        0.0883024619 * r + 0.2817188376 * g + 0.6299787005 * b,
    ].map(Math.cbrt);
    const along = 1.9779984951 * l - 2.428592205 * m + 0.4505937099 * s;
    const across = 0.0259040371 * l + 0.7827717662 * m - 0.808675766 * s;
    return (Math.atan2(across, along) / DEGREE + 360) % 360;
}
