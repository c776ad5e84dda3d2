/* compare - the part of the precision panel that computes the reader's text again in float32 and
 * shows what differs. Results stay as long as the pass that they are of, also while the panel is
 * closed.
 */
import {h} from 'preact';
import {useEffect, useRef, useState} from 'preact/hooks';
import {exact as digits} from '../../draw/scale.js';
import {counted} from '../../views/parts/select.js';
import {HeadsCompared} from './matrix.js';
import {Facts, milliseconds, share, small} from './print.js';
import {Moved, recompute} from './recompute.js';

/**
 * @typedef {import('./recompute.js').Result} Result
 * @typedef {import('./recompute.js').Step} Step
 * @typedef {import('./precision.js').Words} Words
 * @typedef {import('./precision.js').Props & {words: Words, close: () => void}} Props
 * @typedef {import('../../state/state.js').State} State
 */

const FILLINGS_SHOWN = 12;

/** @type {WeakMap<object, Result>} by pass */
const found = new WeakMap();

/** What the head view needs to show a place. @param {number} layer @param {number} head
 * @param {number[]} picked queries
 * @returns {Partial<State>} */
const placeOf = (layer, head, picked) => ({
    desk: 'text',
    view: 'head',
    layer,
    heads: [head],
    mix: 'heads',
    level: 'pieces',
    filter: 'all',
    specials: true,
    side: 'query',
    picked,
    token: picked[0] ?? -1,
});

/** @param {{step: Step, words: Words, t: Props['t'], onCancel: () => void}} props */
function Under({step: {phase, done, total}, words, t, onCancel}) {
    const amount =
        phase !== 'load'
            ? words.amount(done, total)
            : done
              ? t.bytes(t.megabytes(done), total ? t.megabytes(total) : '')
              : '';
    const percent = total ? Math.min(100, Math.floor((100 * done) / total)) : undefined;
    return h(
        'div',
        {class: 'under'},
        h(
            'div',
            {
                class: 'track',
                role: 'progressbar',
                'aria-label': words.steps[phase](''),
                'aria-valuemin': 0,
                'aria-valuemax': 100,
                'aria-valuenow': percent,
                'aria-valuetext': amount,
            },
            h('i', {style: {width: `${percent ?? 0}%`}}),
        ),
        h('p', null, words.steps[phase](amount)),
        h('button', {type: 'button', class: 'plain', onClick: onCancel}, words.cancel),
    );
}

/** @param {{result: Result, words: Words, number: (index: number) => number, go: (patch:
 *     Partial<State>) => void}} props */
function Worst({
    result: {
        comparison: {worst},
        pass,
    },
    words,
    number,
    go,
}) {
    if (!worst) return null;
    const {layer, head, query, key, ours, exact} = worst;
    const [from, to] = [query, key].map(index => pass.tokens[index].piece);
    return h(
        'button',
        {type: 'button', class: 'plain', onClick: () => go(placeOf(layer, head, [query]))},
        h(
            'bdi',
            {translate: true},
            words.worstAt({
                layer: number(layer),
                head: number(head),
                query: from,
                key: to,
                ours: digits(ours),
                exact: digits(exact),
            }),
        ),
    );
}

/** @param {{result: Result, words: Words}} props */
function Fillings({result: {changes, pass}, words}) {
    if (!changes.length) return null;
    return h(
        'table',
        {class: 'words-compared'},
        h('caption', null, words.wordsTable),
        h(
            'thead',
            null,
            h(
                'tr',
                null,
                [words.at, words.ours, words.exact].map(name =>
                    h('th', {key: name, scope: 'col'}, name),
                ),
            ),
        ),
        h(
            'tbody',
            null,
            changes.slice(0, FILLINGS_SHOWN).map(({index, ours, exact}) =>
                h(
                    'tr',
                    {key: index},
                    h('th', {scope: 'row'}, `${index} `, h('bdi', null, pass.tokens[index].piece)),
                    [ours, exact].map((piece, i) => h('td', {key: i}, h('bdi', null, piece))),
                ),
            ),
        ),
        changes.length > FILLINGS_SHOWN &&
            h(
                'tfoot',
                null,
                h('tr', null, h('td', {colSpan: 3}, words.more(changes.length - FILLINGS_SHOWN))),
            ),
    );
}

/** @param {Props & {result: Result}} props */
function Comparison({result, words, t, state, set, theme, close}) {
    const {comparison, codes, precision, changes, words: count, pass, milliseconds: ms} = result;
    const number = counted(state);
    const against = words.compared(
        words.precisions[/** @type {'fine' | 'fast'} */ (precision)],
        pass.tokens.length,
        milliseconds(ms),
    );
    const go = (/** @type {Partial<State>} */ patch) => {
        close();
        set(patch);
    };
    const some = (/** @type {number} */ part, /** @type {number} */ all) =>
        words.ofAll(part.toLocaleString(t.code), all.toLocaleString(t.code), share(part, all));
    return h(
        'div',
        {class: 'comparison'},
        h('p', null, against, ' ', words.codes[codes ? 'true' : 'false']),
        h(Facts, {
            rows: [
                [words.mean, small(comparison.mean)],
                [words.p999, small(comparison.p999)],
                [words.max, small(comparison.max)],
                [words.rowsChanged, some(comparison.changed, comparison.rows)],
                count !== null && [words.wordsChanged, some(changes.length, count)],
                [words.worst, h(Worst, {result, words, number, go})],
            ],
        }),
        h(HeadsCompared, {
            result,
            words,
            theme,
            number,
            onOpen: (layer, head) => go(placeOf(layer, head, [])),
        }),
        h(Fillings, {result, words}),
    );
}

/** @param {Pick<Props, 'session' | 'makeEngine' | 'state' | 'words'>} parts */
function useCompare({session, makeEngine, state, words}) {
    const [step, setStep] = useState(/** @type {Step | null} */ (null));
    const [said, setSaid] = useState(
        /** @type {{sentence: string, error?: string}} */ ({sentence: ''}),
    );
    const [result, setResult] = useState(/** @type {Result | null} */ (null));
    const running = useRef(/** @type {AbortController | null} */ (null));
    useEffect(() => () => running.current?.abort(), []);
    const run = async () => {
        const {signal} = (running.current = new AbortController());
        setSaid({sentence: ''});
        setStep({phase: 'load', done: 0, total: 0});
        try {
            const done = await recompute({session, makeEngine, state, signal, onStep: setStep});
            found.set(done.pass, done);
            setResult(done);
        } catch (error) {
            if (signal.aborted) setSaid({sentence: words.cancelled});
            else if (error instanceof Moved) setSaid({sentence: words.moved});
            else setSaid({sentence: words.failed, error: /** @type {Error} */ (error).message});
        }
        setStep(null);
    };
    return {step, said, result, run, cancel: () => running.current?.abort()};
}

/** @param {Props} props */
export function Compare(props) {
    const {
        t,
        words,
        shown: {pass, model, busy},
    } = props;
    const {step, said, run, cancel} = useCompare(props);
    const result = pass && found.get(pass);
    if (!pass || !model) return null;
    return h(
        'section',
        {'aria-busy': step !== null},
        h('h3', null, words.here),
        h('p', null, words.about, ' ', words.needs(t.megabytes(4 * model.parameters))),
        step
            ? h(Under, {step, words, t, onCancel: cancel})
            : h(
                  'p',
                  {class: 'doing'},
                  h(
                      'button',
                      {type: 'button', class: 'main', disabled: busy, onClick: run},
                      result ? words.again : words.run,
                  ),
              ),
        h(
            'p',
            {class: 'said', role: 'status'},
            said.sentence,
            said.error && [
                ' ',
                h('bdi', {key: 'why', lang: 'en'}, said.error),
                ' ',
                words.failedHelp,
            ],
        ),
        result && !step && h(Comparison, {...props, result}),
    );
}
