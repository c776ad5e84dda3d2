/* measure - how each published claim is measured on the loaded model: from the attention and the
 * measures of a sentence, or from the answers of studies over the corpus. A function gives the
 * strongest head of the model (or a number over all), and whether the claim holds for it; and the
 * same at the published place where the model has it. null: this cannot be asked here.
 */
import {PARTLY} from '../../tour.js';
import {layerMeans} from '../parts/plot.js';
import {bestOf, placeOf} from '../parts/sheet.js';
import {countsByLayer, FINE, pickRoles, pValues, rolesOfHeads, shareOf} from '../roles/numbers.js';

/**
 * @typedef {{layer: number, head: number}} Place
 * @typedef {{value: number, holds: boolean, place?: Place, item?: number, at?: number, holdsAt?: boolean, against?: number}} Measured   place,
 *     item: where it
 *   can be seen; at: the number at the published head; against: a baseline
 * @typedef {{model: {layers: number, heads: number, patterns: string[]}, answers: Record<string,
 *     any>, passes: import('../study.js').Read[]}} Given
 * @typedef {(given: Given) => Measured | null} Measure
 */

const NEAR_POINTS = 0.05; // another treebank than the published one
const TIMES_EVEN = 2; // a link counts from so many times even attention on
const DIP = 0.2; // the lowest layer lies a fifth below both ends, or it is no dip
const NEAR_HEADS = 1; // another corpus than the published one

/** @param {[number, number] | undefined} place @param {{layers: number, heads: number}} model  index,
 *     -1 when it has no such head */
const indexOf = (place, {layers, heads}) =>
    place && place[0] < layers && place[1] < heads ? place[0] * heads + place[1] : -1;

/** One of the six patterns: strength 0 is even attention, 1 the pure pattern (views/tour.js).
 * @param {number} text @param {string} name @param {[number, number]} place @returns {Measure} */
export const pattern =
    (text, name, place) =>
    ({model, passes}) => {
        const read = passes[text];
        const m = model.patterns.indexOf(name);
        const even = read?.even.data[m];
        if (m < 0 || !(even > 0 && even < 0.9999)) return null;
        const count = model.layers * model.heads;
        const strengths = Array.from(
            read.patterns.data.subarray(m * count, (m + 1) * count),
            value => (value - even) / (1 - even),
        );
        const [best, own] = [bestOf(strengths), indexOf(place, model)];
        return {
            value: strengths[best],
            place: placeOf(best, model.heads),
            holds: strengths[best] >= PARTLY,
            ...(own >= 0 ? {at: strengths[own], holdsAt: strengths[own] >= PARTLY} : {}),
        };
    };

/** The tokens of a word of the text. @param {import('../study.js').Read['pass']} pass
 * @param {string} word @returns {number[]} */
export function wordTokens({tokens, texts}, word) {
    /** @type {Map<string, number[]>} */
    const words = new Map();
    tokens.forEach(({sentence, word: at}, i) => {
        if (at < 0) return;
        const key = `${sentence}.${at}`;
        words.set(key, [...(words.get(key) ?? []), i]);
    });
    const spelled = (/** @type {number[]} */ of) => {
        const [first, last] = [tokens[of[0]], tokens[of[of.length - 1]]];
        return [...texts[first.sentence]].slice(first.from, last.to).join('').toLowerCase();
    };
    return [...words.values()].find(of => spelled(of) === word.toLowerCase()) ?? [];
}

/** From one word to another: mean over the pieces of the first, sum over those of the second; it
 * holds in a head when no other token gets more of the first word's attention, and it is twice even
 * attention. @param {number} text @param {[string, string]} words
 * @param {[number, number]} place @returns {Measure} */
export const link =
    (text, [from, to], place) =>
    ({model: {layers, heads}, passes}) => {
        const read = passes[text];
        if (!read) return null;
        const [rows, columns] = [from, to].map(word => wordTokens(read.pass, word));
        if (!rows.length || !columns.length) return null;
        const size = read.pass.tokens.length;
        const looks = Array.from({length: layers * heads}, (_, i) => {
            const {layer, head} = placeOf(i, heads);
            const {data} = read.attention[layer];
            const row = Array.from(
                {length: size},
                (__, key) =>
                    rows.reduce((sum, query) => sum + data[(head * size + query) * size + key], 0) /
                    rows.length,
            );
            const value = columns.reduce((sum, key) => sum + row[key], 0);
            return {
                value,
                first:
                    value >= (TIMES_EVEN * columns.length) / size &&
                    row.every(
                        (weight, key) =>
                            rows.includes(key) || columns.includes(key) || weight <= value,
                    ),
            };
        });
        const candidates = looks.some(({first}) => first)
            ? looks.map(({value, first}) => (first ? value : null))
            : looks.map(({value}) => value);
        const [best, own] = [bestOf(candidates), indexOf(place, {layers, heads})];
        return {
            value: looks[best].value,
            place: placeOf(best, heads),
            holds: looks[best].first,
            ...(own >= 0 ? {at: looks[own].value, holdsAt: looks[own].first} : {}),
        };
    };

/** @param {Given} given @param {string} name
 * @returns {(number | null)[] | null} the means of a measure over the corpus */
function meansOf({answers: {patterns}}, name) {
    const m = patterns ? patterns.measures.indexOf(name) : -1;
    return m < 0 ? null : patterns.mean[m];
}

/** The head with the highest mean. @param {string} name @param {number} above
 * @param {[number, number]} [place] @returns {Measure} */
export const top = (name, above, place) => given => {
    const means = meansOf(given, name);
    const best = means ? bestOf(means) : -1;
    if (!means || best < 0) return null;
    const own = indexOf(place, given.model);
    const value = /** @type {number} */ (means[best]);
    return {
        value,
        holds: value > above,
        place: placeOf(best, given.model.heads),
        item: given.answers.patterns.item[given.answers.patterns.measures.indexOf(name)][best],
        ...(own >= 0 ? {at: means[own] ?? 0, holdsAt: (means[own] ?? 0) > above} : {}),
    };
};

/** The layers that look most at [SEP] are not among the first. @type {Measure} */
export const sepLayers = given => {
    const means = meansOf(given, 'sep');
    if (!means) return null;
    const layers = /** @type {number[]} */ (layerMeans(means, given.model.layers));
    const best = bestOf(layers);
    return {value: layers[best], holds: best >= layers.length / 4 && layers[best] > 2 * layers[0]};
};

/** How many heads are above a limit: about as many as published, and on other models any.
 * @param {string} name @param {number} above
 * @param {number} published @returns {Measure} */
export const count = (name, above, published) => given => {
    const means = meansOf(given, name);
    if (!means) return null;
    const value = means.filter(mean => mean !== null && mean > above).length;
    return {value, holds: value > 0, at: value, holdsAt: Math.abs(value - published) <= NEAR_HEADS};
};

/** From [CLS] the last layer looks broadly: its entropy is a fifth above that of all tokens there.
 * @type {Measure} */
export const broadLast = given => {
    const [all, cls] = ['entropy', 'entropy_cls'].map(name => meansOf(given, name));
    if (!all || !cls) return null;
    const [of, from] = [all, cls].map(means =>
        Number(layerMeans(means, given.model.layers)[given.model.layers - 1]),
    );
    return {value: from, holds: from > (1 + DIP) * of, against: of};
};

/** Entropy falls towards the middle layers and rises again, by more than noise. @param {string} name
 * @returns {Measure} */
export const dip = name => given => {
    const means = meansOf(given, name);
    if (!means) return null;
    const layers = /** @type {number[]} */ (layerMeans(means, given.model.layers));
    const value = Math.min(...layers);
    const at = layers.indexOf(value);
    const ends = Math.min(layers[0], layers[layers.length - 1]);
    return {value, holds: at > 0 && at < layers.length - 1 && value < (1 - DIP) * ends};
};

/** The best head of a relation beats the best fixed offset. @param {string} relation
 * @param {number} published
 * @param {[number, number]} place @returns {Measure} */
export const parser =
    (relation, published, place) =>
    ({model, answers: {parse}}) => {
        const rows = (parse?.relations ?? []).filter(
            (/** @type {any} */ row) => row.relation === relation && row.n,
        );
        const row = rows.find((/** @type {any} */ one) => !one.several) ?? rows[0];
        if (!row) return null;
        const {layer, head, accuracy} = row.best;
        const own = indexOf(place, model);
        const at = own < 0 ? 0 : Math.max(row.accuracy[0][own] ?? 0, row.accuracy[1][own] ?? 0);
        return {
            value: accuracy,
            holds: row.better,
            place: {layer, head},
            against: row.offset.accuracy,
            ...(own >= 0 ? {at, holdsAt: Math.abs(at - published) <= NEAR_POINTS} : {}),
        };
    };

/** The best head finds what pronouns stand for, better than the best simple rule.
 * @param {[number, number]} place @returns {Measure} */
export const coref =
    place =>
    ({model, answers: {coref: answer}}) => {
        if (!answer?.n) return null;
        const {layer, head, accuracy} = answer.best;
        const against = Math.max(
            ...Object.values(/** @type {Record<string, number>} */ (answer.baselines)),
        );
        const own = indexOf(place, model);
        const at = own < 0 ? 0 : (answer.accuracy[own] ?? 0);
        return {
            value: accuracy,
            holds: answer.better,
            place: {layer, head},
            against,
            ...(own >= 0 ? {at, holdsAt: at > against} : {}),
        };
    };

/** The answer of roles with a role that was tested, or null. @param {Given} given
 * @param {...string} names */
function tested({answers: {roles}}, ...names) {
    return roles &&
        names.every(
            name => roles.roles.find((/** @type {any} */ {role}) => role === name)?.testable,
        )
        ? roles
        : null;
}
/** @param {any} answer @param {string} name @returns {number[]} */
const hasOf = (answer, name) => answer.roles.find((/** @type {any} */ {role}) => role === name).has;
/** @param {number} value @param {boolean} holds @returns {Measured} */
const told = (value, holds) => ({value, holds});

/** Share of heads with the delimiter role; 63 to 75 % over the four published tasks. @type {Measure}
 */
export const delimiterShare = given => {
    const answer = tested(given, 'delimiter');
    if (!answer) return null;
    const has = hasOf(answer, 'delimiter');
    const share = has.filter(Boolean).length / has.length;
    return told(share, share >= 0.63 && share <= 0.75);
};

/** Share of syntactic heads that are local. @type {Measure} */
export const localSyntactic = given => {
    const answer = tested(given, 'local', 'syntactic');
    const share = answer && shareOf(answer.roles, 'syntactic', 'local');
    return share
        ? told(
              share.both / share.count,
              share.both / share.count >= 0.42 && share.both / share.count <= 0.89,
          )
        : null;
};

/** The mean layer of the heads with a role; null without any. @param {Given} given
 * @param {string} name */
function meanLayer(given, name) {
    const answer = tested(given, name);
    if (!answer) return null;
    const layers = hasOf(answer, name).flatMap((one, i) =>
        one ? [Math.floor(i / answer.heads)] : [],
    );
    return layers.length ? layers.reduce((sum, layer) => sum + layer, 0) / layers.length : null;
}

/** In the first third of the layers. @type {Measure} */
export const clsEarly = given => {
    const mean = meanLayer(given, 'cls');
    return mean === null ? null : told(mean, mean < given.model.layers / 3);
};
/** After the first third, and later than the [CLS] heads. @type {Measure} */
export const sepLate = given => {
    const [mean, cls] = [meanLayer(given, 'sep'), meanLayer(given, 'cls')];
    return mean === null
        ? null
        : told(mean, mean >= given.model.layers / 3 && (cls === null || mean > cls));
};

/** Share of block heads in the first layer. @type {Measure} */
export const blockFirst = given => {
    const answer = tested(given, 'block');
    const counts = answer && countsByLayer(hasOf(answer, 'block'), answer.layers);
    const all = counts
        ? counts.reduce((/** @type {number} */ sum, /** @type {number} */ count) => sum + count, 0)
        : 0;
    return counts && all ? told(counts[0] / all, counts[0] / all > 0.5) : null;
};

/** Heads of each layer with several of the fine roles; null without any. @param {Given} given */
function severalByLayer({answers: {roles: answer}}) {
    if (!answer) return null;
    const counts = countsByLayer(
        rolesOfHeads(pickRoles(answer, FINE), answer.layers * answer.heads).map(list =>
            Number(list.length > 1),
        ),
        answer.layers,
    );
    return counts.some(Boolean) ? counts : null;
}

/** The layer with the most of them is in the middle. @type {Measure} */
export const severalMiddle = given => {
    const counts = severalByLayer(given);
    if (!counts) return null;
    const best = bestOf(counts);
    return told(best, best >= (5 / 12) * counts.length - 1 && best <= (9 / 12) * counts.length);
};
/** The last two layers have fewer than the others on the mean. @type {Measure} */
export const severalLast = given => {
    const counts = severalByLayer(given);
    if (!counts || counts.length < 4) return null;
    const mean = (/** @type {number[]} */ list) =>
        list.reduce((sum, count) => sum + count, 0) / list.length;
    return told(mean(counts.slice(-2)), mean(counts.slice(-2)) < mean(counts.slice(0, -2)));
};

/** Share of layers with three syntactic heads or more. @type {Measure} */
export const syntacticThree = given => {
    const answer = tested(given, 'syntactic');
    if (!answer) return null;
    const counts = countsByLayer(hasOf(answer, 'syntactic'), answer.layers);
    const share = counts.filter(count => count >= 3).length / counts.length;
    return told(share, share >= 0.75);
};

/** Share of p-values below 0.05 or above 0.95. @type {Measure} */
export const pNear = ({answers: {roles: answer}}) => {
    const {count, low, high} = answer ? pValues(answer.roles) : {count: 0, low: 0, high: 0};
    return count ? told(low + high, low + high >= 0.95) : null;
};

/** Attention to [SEP] after fine-tuning minus before, mean over all heads. @type {Measure} */
export const sepTuning = ({answers: {compare: answer}}) => {
    if (!answer) return null;
    const {difference, q} = answer.sep_of_layers;
    const last = difference.length - 1;
    return told(difference[last], difference[last] < 0 && q[last] < 0.05);
};
