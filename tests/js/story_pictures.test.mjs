/* Each story of the articles that a model of the site tells, as the picture that its lesson step shows: drawn
 * from the shipped model, whose numbers are the same bits everywhere. Of two figures side by side both are
 * here, of a study its whole sheet. They are those of snapshots/stories.txt, so that a change of what
 * a story shows is seen in review. Skips when the wasm has not been built.
 */
import assert from 'node:assert/strict';
import {readFileSync} from 'node:fs';
import {test} from 'node:test';
import {otherState} from '../../web/compare/second.js';
import {begun} from '../../web/lessons/begin.js';
import {defaults, update} from '../../web/state/state.js';
import {loadView} from '../../web/views/index.js';
import {knownStudy} from '../../web/views/study/index.js';
import {studies as studyWords} from '../../web/words/en/studies.js';
import {root} from './lib/model.mjs';
import {openGolden, openStudies, pictureSet, skip} from './lib/pictures.mjs';
import {storiesOf} from './lib/stories.mjs';
import {en} from './lib/words.mjs';

const corpora = JSON.parse(readFileSync(`${root}corpora/index.json`, 'utf8'));
const corpusOf = id =>
    readFileSync(`${root}corpora/${corpora.find(one => one.id === id).file}`, 'utf8');
const stories = storiesOf().flatMap(({story, here}) => (here ? [{...here, story}] : []));

/** What is opened is kept: one model at a time is in memory. @param {(name: string) => Promise<any>} open */
function last(open) {
    let [name, opened] = ['', null];
    return async wanted => {
        if (wanted !== name) [name, opened] = [wanted, await open(...wanted.split(' '))];
        return opened;
    };
}

test('each story that a model of the site tells, as it is drawn', {skip}, async () => {
    assert.equal(stories.length, 32);
    const set = pictureSet('stories');
    const [texts, studies] = [last(openGolden), last(openStudies)];
    const size = {width: 600, theme: 'light'};
    for (const {story, text, textB, view: id, state: given} of stories) {
        const state = update(defaults, begun({text, textB, view: id, state: given}));
        if (state.desk === 'corpus') {
            const {second, index, load} = knownStudy(state.study);
            const other = second === 'model' ? ` models/${state.otherModel}` : '';
            const run = await studies(`models/${given.model}${other}`);
            const view = await load();
            const {data} = run(view, corpusOf(state.corpus), Boolean(other), state, index);
            set.add(story, view.svg(state, {...data, ...size, t: studyWords}, studyWords));
            continue;
        }
        const golden = await texts(`models/${given.model}`);
        const sides = state.beside ? [state, otherState(state)] : [state];
        for (const [i, side] of sides.entries()) {
            const view = await loadView(side.view);
            const {state: seen, data} = await golden(view, side);
            set.add(
                i ? `${story}-beside` : story,
                view.svg(seen, data, {...size, focus: null}, en),
            );
        }
    }
    set.check();
});
