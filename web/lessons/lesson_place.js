/* lesson_place - the lesson's place beside the figure: its panel (lessons/player.js) is fetched when a
 * lesson begins; the place is kept meanwhile.
 */
import {h} from 'preact';
import {useRef} from 'preact/hooks';
import {useLazy, useWords} from '../shell/hooks.js';

/** Here from the beginning, unlike the lesson, so it keeps the state that the page began with: a link
 * may say more than the lesson's place, and then that is shown first.
 * @param {import('../base/shared.js').Shared & {menu: import('../base/shared.js').Menu, session: import('../session/session.js').Session}} shared */
export function LessonPlace(shared) {
    const began = useRef(/** @type {typeof shared.state | null} */ (shared.state));
    const {tour, lesson} = shared.state;
    // what comes late of a step leaves what has been chosen since
    const asked = useRef({step: '', at: 0});
    const step = `${lesson}.${tour}`;
    if (asked.current.step !== step) asked.current = {step, at: performance.now()};
    const wanted = tour >= 0;
    const loaded = useLazy(() => import('./player.js'), wanted);
    const words = useWords(shared.t.code, 'lessons', wanted);
    if (!wanted) return null;
    return loaded && words
        ? h(loaded.Player, {...shared, words, began, asked})
        : h('div', {class: 'tour lesson'});
}
