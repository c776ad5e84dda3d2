/* status - at the figure: what is being computed or has been, in which precision (a press opens the
 * panel about it, precision.js), where a model that is not in the menu comes from (from.js), and what of
 * the text the model does not read.
 */
import {h} from 'preact';
import {useState} from 'preact/hooks';
import {buttonOf} from '../draw/button.js';
import {precisionOf} from '../views/needs.js';
import {useLazy, useWords} from '../shell/hooks.js';
import {Coming} from './progress.js';

/** @import {Shared} from '../base/shared.js' */

/** What is computed here, and whether a text without predictions is computed otherwise: its numbers then differ a little.
 * @param {Shared['state']} state @param {import('../worker/worker.js').Model} model */
function nameOf(state, model) {
    const here = precisionOf(state, model);
    const elsewhere = precisionOf({precision: state.precision}, {precision: model.precision});
    return here === elsewhere ? here : 'both';
}

/** @param {Shared & {session: import('../session/session.js').Session, makeEngine: () =>
 *     import('../base/shared.js').Engine}} props */
function Precision(props) {
    const {t, state, shown} = props;
    const [open, setOpen] = useState(false);
    const panel = useLazy(() => import('./precision/precision.js'), open);
    const words = useWords(t.code, 'dialogs', open)?.precision;
    const {model} = shown;
    const name = model?.store === 'q8' ? nameOf(state, model) : 'f32';
    return h(
        'p',
        null,
        buttonOf(
            'plain',
            {'aria-haspopup': 'dialog', onClick: () => setOpen(true)},
            t.precision[name],
        ),
        open &&
            panel &&
            words &&
            h(panel.PrecisionPanel, {...props, words, onClose: () => setOpen(false)}),
    );
}

/** @param {Pick<Shared, 't' | 'state' | 'shown'>} props */
function FromPlace({state, ...props}) {
    const from = props.shown.model?.from;
    const isOther = from?.place !== 'server' || state.model.includes('/'); // no id of the menu has one
    const part = useLazy(() => import('./from.js'), Boolean(from) && isOther);
    return part && isOther && h(part.From, props);
}

/** What the model's files are odd in, and what of the text it does not read: directly above the
 * picture. @param {Pick<Shared, 't' | 'shown'>} props */
export function Losses({t, shown: {pass, model, precomputed}}) {
    if (!model || precomputed) return null;
    const cut = (pass?.dropped ?? []).map((count, sentence) =>
        count > 0
            ? h('p', {class: 'cut', key: sentence}, t.dropped(count, sentence, model.positions))
            : null,
    );
    const warnings = (model.warnings ?? []).map(line =>
        h('p', {key: line, lang: 'en'}, h('bdi', null, line)),
    );
    return h('div', {class: 'losses', role: 'status'}, cut, warnings);
}

/** @param {Parameters<typeof Precision>[0]} props */
export function Status(props) {
    const {
        t,
        shown: {pass, busy, imported, precomputed, progress},
    } = props;
    if (precomputed) return h('div', {class: 'status'}, h(Coming, {t, progress}));
    const said = busy
        ? t.computing
        : !pass
          ? ''
          : imported
            ? h('bdi', {translate: true}, t.imported.read(pass.tokens.length, imported.name))
            : t.ready(pass.tokens.length, pass.milliseconds);
    return h(
        'div',
        {class: 'status'},
        h('p', {role: 'status'}, said),
        pass && !imported && h(Precision, props),
        !imported && h(FromPlace, props),
    );
}
