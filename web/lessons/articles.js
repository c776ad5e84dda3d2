/* articles - the figures of the articles that this project starts from, one press each: text, layer,
 * head, pinned token and view. Each is a step of a lesson (data/vig1.json and so on), which also says where
 * the shipped model differs from the one that was published. A second press beside it opens the published
 * model's own attention, where the site has it (published.js).
 */
import {h} from 'preact';
import {useEffect, useState} from 'preact/hooks';
import {lessonOf, LESSONS, stepsHere, titleOf} from './list.js';
import {saidIn} from './number.js';
import {fileOf, openWith, shortName, usePublished} from './published.js';

/** @typedef {import('./step.js').Lesson} Lesson */

/** The articles, when they are here. @param {import('../base/shared.js').Menu} menu */
function useArticles(menu) {
    const [lessons, setLessons] = useState(/** @type {Lesson[]} */ ([]));
    useEffect(() => {
        const ids = LESSONS.filter(({article}) => article).map(({id}) => id);
        Promise.all(ids.map(id => lessonOf(id))).then(all =>
            setLessons(all.map(one => stepsHere(one, menu))),
        );
    }, []);
    return lessons;
}

/** One figure, and beside it the published model's own, where its file is here.
 * @param {import('../base/shared.js').Shared & {words: import('../words/languages.js').Lessons['offers'], id:
 *     string, at: number, step: import('./step.js').Step, file: import('./published.js').Row | undefined,
 *     close: () => void}} props   id: of the lesson */
function Row({t, words, state, set, id, at, step, file, close}) {
    const press = (/** @type {boolean} */ published) => {
        if (published) openWith(`${id}.${at}`);
        set({lesson: id, tour: at});
        close();
    };
    const current = state.lesson === id && state.tour === at ? 'step' : undefined;
    const button = {type: 'button', class: 'plain'};
    return h(
        'li',
        null,
        h(
            'button',
            {...button, 'aria-current': current, onClick: () => press(false)},
            saidIn(step, 'title', state, t.code),
        ),
        file && ' ',
        file &&
            h(
                'button',
                {...button, class: 'plain as-published', onClick: () => press(true)},
                words.asPublished(shortName(file)),
            ),
    );
}

/** @param {import('../base/shared.js').Shared & {menu: import('../base/shared.js').Menu, words:
 *     import('../words/languages.js').Lessons['offers'], close: () => void}} props */
export function Articles({menu, ...props}) {
    const lessons = useArticles(menu);
    const files = usePublished();
    return lessons.map(({id, title, steps}) =>
        h(
            'section',
            {key: id},
            h('h2', null, titleOf(title, props.t.code)),
            h(
                'ol',
                null,
                steps.map((step, at) => {
                    const file = fileOf(files, step, `${id}.${at}`);
                    return h(Row, {...props, key: at, id, at, step, file});
                }),
            ),
        ),
    );
}
