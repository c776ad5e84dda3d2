/* over_corpus - below the figure the way from one text to many: what the head that is shown does over the
 * texts of a corpus. Fetched after the first picture.
 */
import {h} from 'preact';
import {buttonOf} from '../draw/button.js';
import {headName} from '../draw/head_name.js';
import {viewHas} from '../views/index.js';
import {openedPlace} from '../views/model/numbers.js';
import {activeHeads, clampLayer, counted} from '../views/parts/select.js';
import {askCorpus} from '../views/study/study.js';

/** @import {Shared} from '../base/shared.js' */

/** The head that is shown alone; null where there are several. @param {Shared['state']} state
 * @param {import('../views/view.js').Model} model */
function shownHead(state, model) {
    if (state.view === 'model') return openedPlace(state.opened, model);
    const heads = activeHeads(state.heads, model.heads);
    const one = heads.length === 1 || viewHas(state.view, 'oneHead');
    return one ? {layer: clampLayer(state.layer, model), head: heads[0]} : null;
}

/** The word of the token that is pinned alone; '' where it is none of the text.
 * @param {Shared['state']} state @param {import('../worker/worker.js').Pass} pass */
function pinnedWord({picked}, {tokens, texts}) {
    const token = picked.length === 1 ? tokens[picked[0]] : undefined;
    if (!token || token.special || token.word < 0) return '';
    const own = tokens.filter(
        ({word, sentence, special}) =>
            !special && word === token.word && sentence === token.sentence,
    );
    const letters = [...texts[token.sentence]];
    return letters
        .slice(own[0].from, own[own.length - 1].to)
        .join('')
        .trim();
}

/** What a head does wherever it has such a query or key, as the question to an index.
 * @param {{layer: number, head: number}} place @param {Shared['state']} state
 * @param {import('../worker/worker.js').Pass} pass */
function whereElse({layer, head}, state, pass) {
    const word = pinnedWord(state, pass);
    const pinned = word && !/\s/.test(word) ? ` ${state.side}.word=${word.toLowerCase()}` : '';
    return `head layer=${layer} head=${head}${pinned}`;
}

/** From one text to many: the page of the head that is shown, or all heads' patterns; and where else the head
 * does this.
 * @param {Pick<Shared, 'state' | 'set'> & {words: import('../text/remarks.js').Words, model:
 *     import('../views/view.js').Model, pass: import('../worker/worker.js').Pass}} props */
export function OverCorpus({words, state, set, model, pass}) {
    const one = shownHead(state, model);
    const count = counted(state);
    const patch = one
        ? {study: 'ask', asked: `head layer=${one.layer} head=${one.head}`}
        : {study: 'patterns'};
    return h(
        'p',
        {class: 'over-corpus'},
        buttonOf(
            'plain',
            {onClick: () => askCorpus(set, patch)},
            words.overCorpus(one ? headName(count(one.layer), count(one.head)) : ''),
        ),
        one && ' ',
        one &&
            buttonOf(
                'plain',
                {onClick: () => askCorpus(set, {study: 'ask', asked: whereElse(one, state, pass)})},
                words.whereElse(
                    headName(count(one.layer), count(one.head)),
                    pinnedWord(state, pass),
                ),
            ),
    );
}
