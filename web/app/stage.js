/* stage - the figure with what belongs to it around it: what went wrong or is asked before a download,
 * above it; how far a download is, on it; the lesson, how it is read and the numbers, beside it.
 */
import {h} from 'preact';
import {useLazy, useMedia, useWords} from '../shell/hooks.js';
import {LayerHere} from '../shell/use_layer.js';
import {Figure} from '../figure/figure.js';
import {canCompare} from '../model/models.js';
import {LessonPlace} from '../lessons/lesson_place.js';
import {Awaited, Notice, Progress} from '../model/progress.js';
import {Losses} from '../model/status.js';
import {lazy} from '../views/parts/lazy.js';

/**
 * @import {Shared} from '../base/shared.js'
 * @import {Drawable} from '../figure/figure.js'
 * @typedef {Shared & {menu: import('../base/shared.js').Menu, modelName: string, peek: number, onCancel: (() => void) | null, drawable:
 *     Drawable | null, help: boolean, makeEngine: () => import('../base/shared.js').Engine, second:
 *     import('../model/models.js').Second | null, sourceOf: import('../base/shared.js').SourceOf, nameOf: (model:
 *     string) => string, coming: string, session: import('../session/session.js').Session, both: {current: any}}} Props   coming: the model that is being loaded
 */

const Refused = lazy(() => import('../model/refused.js').then(module => module.Refused));

/** What is asked before a download, with its words.
 * @param {Omit<Parameters<typeof import('../model/question.js').Question>[0], 'words'>} props */
export function Asking(props) {
    const module = useLazy(() => import('../model/question.js'), true);
    const words = useWords(props.t.code, 'dialogs', true)?.question;
    return module && words ? h(module.Question, {...props, words}) : null;
}

/** What is remarkable in the text or the model, with its words.
 * @param {Shared & {menu: import('../base/shared.js').Menu, onModel: (model: string) => void}} props */
function RemarksPlace(props) {
    const wanted = Boolean(props.shown.pass);
    const module = useLazy(() => import('../text/remarks.js'), wanted);
    const words = useWords(props.t.code, 'dialogs', wanted)?.remarks;
    return module && words ? h(module.Remarks, {...props, words}) : null;
}

/** What the reader must know before looking at the figure. It stays in sight.
 * @param {Shared & {menu: import('../base/shared.js').Menu, session: import('../session/session.js').Session, refused: string, modelName: string,
 *     onModel: (model: string) => void, onNo: () => void}} props */
export function Notices({session, refused, modelName, onModel, onNo, ...shared}) {
    const {t, shown} = shared;
    return h(
        'div',
        {class: 'notices'},
        refused && h(Refused, {t, model: refused}),
        h(Notice, {t, shown, session, onModel}),
        shown.question &&
            h(Asking, {t, asked: {name: modelName, ...shown.question}, onYes: session.agree, onNo}),
        h(Losses, shared),
        h(RemarksPlace, {...shared, onModel}),
    );
}

/** Whether two figures stand beside each other.
 * @param {Pick<Props, 'state' | 'drawable' | 'shown' | 'second'>} props */
export const isTwo = ({state, drawable, shown, second}) =>
    (state.beside !== '' || ((state.compareWith !== '' || second !== null) && state.tour < 0)) &&
    drawable !== null &&
    !shown.precomputed &&
    canCompare(drawable.state, shown, second !== null);

/** The layer of a token's numbers where they are a sheet over the page; of a lesson on a phone they stand below the
 * picture. @param {boolean} touring */
const useSheet = touring =>
    useMedia(`(max-width: 1099px)${touring ? ' and (min-width: 760px)' : ''}`) ? LayerHere : null;

/** @param {Drawable['view'] | undefined} view @param {boolean} touring @param {boolean} hasAside */
const stageClass = (view, touring, hasAside) =>
    `stage${view ? '' : ' empty'}${touring ? ' touring' : ''}` +
    `${view?.broad ? ' broad' : ''}${hasAside || touring ? '' : ' alone'}`;

/** @param {Props} props */
export function Stage({help, ...props}) {
    const {
        coming,
        modelName,
        drawable,
        peek,
        onCancel,
        makeEngine,
        second,
        sourceOf,
        nameOf,
        ...shared
    } = props;
    const {t, set, state, shown} = shared;
    const sheet = useSheet(state.tour >= 0);
    const two = isTwo(props);
    const beside = useLazy(() => import('../compare/beside.js'), two);
    if (two && beside && drawable) {
        const both = h(beside.Beside, {
            ...{...props, drawable, help, sheet, Asking},
            key: second?.source ?? state.compareWith,
        });
        return state.tour >= 0
            ? h('div', {class: 'stage touring'}, h(LessonPlace, shared), both)
            : both;
    }
    const download = {t, name: coming, above: Boolean(shown.model?.whole), onCancel};
    const figure = {t, set, peek, help, sheet, busy: shown.busy};
    const hasAside = help || Boolean(drawable?.view.panel ?? drawable?.view.beside);
    return h(
        'div',
        {class: stageClass(drawable?.view, state.tour >= 0, hasAside)},
        h(LessonPlace, shared),
        shown.progress &&
            !shown.precomputed &&
            h(Progress, {...download, progress: shown.progress}),
        shown.precomputed && h(Awaited, {t, state, drawable, progress: shown.progress}),
        drawable && h(Figure, {...drawable, ...figure, key: drawable.view.id}),
    );
}
