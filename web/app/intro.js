/* intro - the beginning of a visit: a question about one word of the default text, the weights that
 * answer it in the head shown, what that head does over a corpus, and three presses: another word, the
 * head switched off, all heads. Shown on that text in the head view; elsewhere the
 * document's title is there for those who do not see it. The head and its numbers over corpora are
 * found when the site is built (build/first.mjs). Here are the question and the places of the rest, which
 * comes with the first figure: question.js and, below the figure, entrances.js.
 */
import {h} from 'preact';
import {isCausal} from '../views/parts/select.js';
import {useLazy, useWords} from '../shell/hooks.js';
import {QUESTION, TEXTS} from '../lessons/question.js';

/**
 * @import {Shared} from '../base/shared.js'
 * @typedef {Shared & {menu: import('../base/shared.js').Menu, drawable: import('../figure/figure.js').Drawable | null, site: boolean, session: import('../session/session.js').Session}} Props
 */

/** The question above the figure, and the place of the ways on below it.
 * @param {Props} props */
export function useIntro(props) {
    const {t, state, menu, shown} = props;
    const {id, begin} = menu[0] ?? {};
    const here =
        begin?.picked !== undefined &&
        state.view === 'head' &&
        state.model === id &&
        TEXTS.includes(state.text) &&
        !state.textB &&
        state.tour < 0;
    const parts = useLazy(() => import('./entrances.js'), here);
    const words = useWords(t.code, 'first', here);
    const inside = (/** @type {'Question' | 'Entrances'} */ part) =>
        parts && words && here && h(/** @type {any} */ (parts[part]), {...props, begin, words});
    return [
        h(
            'div',
            {class: here ? 'intro' : 'hidden', key: 'intro'},
            h(
                'h1',
                null,
                here
                    ? t.question(h('em', null, QUESTION.word))
                    : t.heading(Boolean(shown.model && isCausal(shown.model))),
            ),
            inside('Question'),
        ),
        here && h('div', {class: 'entrances', key: 'ways'}, inside('Entrances')),
    ];
}
