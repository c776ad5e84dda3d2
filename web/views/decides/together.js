/* together - several heads off at once: what they change together beside the sum of what each changes alone (C asks both,
 * src/intervene/effect.c), since heads back each other up. They are chosen among those of the list.
 */
import {h} from 'preact';
import {signed} from '../../draw/chart.js';
import {headName} from '../../draw/head_name.js';
import {answerOf} from '../asked.js';

/** @typedef {import('./scene.js').Scene} Scene
 * @typedef {import('../asked.js').Question} Question
 * @typedef {import('../view.js').Texts} Texts */

const MOST = 10; // of the list, to choose from

/** @param {string} place */
const headOf = place => place.split('.').map(Number);

/** @param {string} place @param {Scene['count']} count */
function nameOf(place, count) {
    const [layer, head] = headOf(place);
    return headName(count(layer), count(head));
}

/** The same target, with all of them off. @param {readonly string[]} together @param {Question} question of each part
 * @returns {Question[]} */
export function togetherNeeds(together, {question: {how: _, ...question}}) {
    if (together.length < 2) return [];
    const changes = together.map(place => ['head', ...headOf(place)]);
    return [{question: {...question, intervention: 'effect', changes, apart: true}}];
}

/** What is known of it; null: nothing is asked. @param {readonly string[]} together @param {Question} question
 * @param {Map<string, any>} tensors */
export function togetherOf(together, question, tensors) {
    const [asked] = togetherNeeds(together, question);
    const answer = /** @type {any} */ (asked && answerOf(tensors, asked));
    if (!answer) return null;
    if (answer.refused !== undefined) return {refused: String(answer.refused), change: 0, sum: 0};
    const whole = answer.effects.find(
        (/** @type {{kind: string}} */ one) => one.kind === 'together',
    );
    return answer.sum === undefined ? null : {refused: '', change: whole.change, sum: answer.sum};
}

/** In a sentence; '' while it is not known. @param {Scene} scene @param {Texts} t */
export function sayTogether({atOnce, together, count}, t) {
    if (!atOnce) return '';
    const names = together.map((/** @type {string} */ place) => nameOf(place, count));
    return (
        atOnce.refused ||
        t.decides.together.say(names.join(t.comma), signed(atOnce.change), signed(atOnce.sum))
    );
}

/** The heads of the list, to be chosen. @param {import('../../draw/blocks.js').Props} props */
export function Together({state: {together}, scene, on, data: {t}}) {
    const said = t.decides.together;
    const listed = scene.ranked
        .filter((/** @type {{kind: string}} */ {kind}) => kind === 'head')
        .slice(0, MOST)
        .map((/** @type {any} */ {layer, head}) => `${layer}.${head}`);
    const places = [...new Set([...listed, ...together])];
    return h(
        'fieldset',
        {class: 'decides-together'},
        h('legend', null, said.label),
        places.map(place => {
            const isChosen = together.includes(place);
            const others = together.filter((/** @type {string} */ one) => one !== place);
            return h(
                'label',
                {key: place},
                h('input', {
                    type: 'checkbox',
                    checked: isChosen,
                    onChange: () => on.set({together: isChosen ? others : [...others, place]}),
                }),
                ` ${nameOf(place, scene.count)}`,
            );
        }),
        h('p', {role: 'status'}, sayTogether(scene, t) || (together.length > 1 ? '…' : said.hint)),
    );
}
