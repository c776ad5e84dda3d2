/* articles - the figures of the articles that this project starts from, one press each: text, layer,
 * head, pinned token and view. Each is a step of a lesson (vig1.json and so on), which also says where
 * the shipped model differs from the one that was published.
 */
import {h} from 'preact';
import {useEffect, useState} from 'preact/hooks';
import {lessonOf, LESSONS, stepsHere, titleOf} from './list.js';

/** @typedef {import('./step.js').Lesson} Lesson */

/** The articles, when they are here. @param {import('../app.js').Menu} menu */
function useArticles(menu) {
    const [lessons, setLessons] = useState(/** @type {Lesson[]} */ ([]));
    useEffect(() => {
        const ids = LESSONS.filter(({article}) => article).map(({id}) => id);
        Promise.all(ids.map(lessonOf)).then(all =>
            setLessons(all.map(one => stepsHere(one, menu))),
        );
    }, []);
    return lessons;
}

/** @param {import('../app.js').Shared & {menu: import('../app.js').Menu, close: () => void}} props */
export function Articles({t, state, set, menu, close}) {
    const lessons = useArticles(menu);
    const press = (/** @type {string} */ lesson, /** @type {number} */ tour) => {
        set({lesson, tour});
        close();
    };
    return lessons.map(({id, title, steps}) =>
        h(
            'section',
            {key: id},
            h('h3', null, titleOf(title, t.code)),
            h(
                'ol',
                null,
                steps.map((step, i) =>
                    h(
                        'li',
                        {key: i},
                        h(
                            'button',
                            {
                                type: 'button',
                                class: 'plain',
                                'aria-current':
                                    state.lesson === id && state.tour === i ? 'step' : undefined,
                                onClick: () => press(id, i),
                            },
                            titleOf(step.title, t.code),
                        ),
                    ),
                ),
            ),
        ),
    );
}
