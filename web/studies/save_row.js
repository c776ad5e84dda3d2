/* save_row - the row below the results of a study that saves them: table, answer, picture. What
 * makes the files is fetched when the first one is asked for (save.js).
 */
import {h} from 'preact';
import {useState} from 'preact/hooks';
import {buttonOf} from '../draw/button.js';

/** @typedef {import('./corpus_page.js').Props & {result: import('./runs.js').Result, data:
 *     import('../views/study/study.js').Data}} Props */

/** @param {Props} props */
export function SaveRow(props) {
    const {
        words,
        control,
        result: {view, handle},
    } = props;
    const [said, setSaid] = useState('');
    const make = (/** @type {import('./save.js').Kind} */ kind) => async () => {
        try {
            const {save} = await import('./save.js');
            setSaid(words.saved(await save(kind, props)));
        } catch (error) {
            control.fail(/** @type {Error} */ (error));
        }
    };
    /** @type {import('./save.js').Kind[]} */
    const kinds = handle?.file ? ['csv', 'bars', 'json', 'svg', 'index'] : ['csv', 'json', 'svg'];
    return h(
        'section',
        {class: 'export', 'aria-labelledby': 'study-export'},
        h(
            'div',
            {class: 'row'},
            h('h3', {id: 'study-export'}, words.save),
            kinds
                .filter(kind => kind !== 'svg' || view.svg)
                .map(kind =>
                    buttonOf(
                        'plain',
                        {key: kind, onClick: make(kind)},
                        handle?.file ? words.ask.files[kind] : words[/** @type {'csv'} */ (kind)],
                    ),
                ),
        ),
        h('p', {class: 'said', role: 'status'}, said),
    );
}
