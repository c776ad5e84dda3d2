/* entrances - below the first figure, the ways on: each a small picture made when the site was built
 * (build/first.mjs), a name and a sentence. Fetched with the first figure, as question.js is.
 */
import {h} from 'preact';
import {buttonOf} from '../draw/button.js';
import {QUESTION} from '../lessons/question.js';

export {Question} from './question.js';

/** @import {Props} from './intro.js'
 * @import {Begin} from '../base/shared.js'
 * @import {First as Words} from '../words/languages.js' */

/** Width and height of the pictures, px. */
export const PICTURE = [168, 84];

/** @param {string} selector */
const focus = selector => {
    const place = /** @type {HTMLElement | null} */ (document.querySelector(selector));
    place?.scrollIntoView({block: 'nearest'});
    place?.focus();
    return place;
};

/** What each does. @param {Props['set']} set @param {Props['drawable']} drawable @returns {Record<string, () => void>} */
function actions(set, drawable) {
    const tokens = drawable?.data.pass.tokens ?? [];
    const at = (/** @type {string} */ word) => tokens.findIndex(({piece}) => piece === word);
    return {
        patterns: () => set({lesson: 'patterns', tour: 0}),
        claims: () => set({desk: 'corpus', study: 'claims', corpus: 'sentences'}),
        find: () => set({view: 'find', from: at(QUESTION.word), to: at(QUESTION.answers[0])}),
        steps: () => set({view: 'steps'}),
        text: () => /** @type {HTMLTextAreaElement | null} */ (focus('#text'))?.select(),
        model: () => {
            const menu = focus('.more-models summary')?.closest('details');
            if (menu) menu.open = true;
        },
    };
}

/** Pictures lie beside a site only. @param {Props & {begin: Begin, words: Words}} props */
export function Entrances({site, begin, words, ...props}) {
    const does = actions(props.set, props.drawable);
    const [width, height] = PICTURE;
    const image = (/** @type {string} */ id) =>
        h('img', {
            ...{src: `first/${id}-${props.theme}.svg`, alt: '', width, height},
            loading: 'lazy',
        });
    return Object.entries(words.entrances(begin)).map(([id, [name, sentence]]) =>
        buttonOf(
            'entrance',
            {key: id, onClick: does[id]},
            site && image(id),
            h('strong', null, name),
            h('span', null, sentence),
        ),
    );
}
