/* stories - the table of the articles' stories (docs/stories.md): where the page tells each, and which
 * number a test holds against which bound. Made from the lessons' data alone, so that it needs no model
 * and reads the same on every machine; the numbers themselves are said by `npm run stories`.
 */
import {LESSONS} from '../../../web/lessons/list.js';
import {lessons} from './lessons.mjs';

export const TABLE = 'docs/stories.md';
export const bound = ({atLeast, atMost}) =>
    atLeast === undefined ? `≤ ${atMost}` : `≥ ${atLeast}`;
const headName = ([layer, head]) => `L${layer}·H${head}`;

/** What a step's number is, by its kind (web/lessons/seen.js). */
const NUMBERS = {
    weight: ({query, keys}) => `weight of token ${query} on ${keys.join(' + ')}`,
    share: ({keys}) => `mean weight on ${keys.join(' + ')}`,
    own: () => 'attention inside the own sentence',
    next: () => 'mean weight on the next token',
    score: ({query, keys}) => `q of token ${query} · k of token ${keys}`,
    scaled: ({query, keys}) => `q of token ${query} · k of token ${keys} / √d`,
    neurons: ({neurons}) => `share of queries decided by neurons ${neurons.join(', ')}`,
    sieve: ({role}) => `sieve bias score “${role}”`,
    link: ({from, to}) => `weight of ${from} on ${to}`,
    measure: ({measure}) => `measure “${measure}”`,
    upper: ({measure}) => `measure “${measure}”, upper layers less lower`,
};

/** The number of a step in words, with its bound. */
export function promise({seen, page}) {
    if (page)
        return [`the study’s sentence, \`${page.match.replaceAll('|', '\\|')}\``, bound(page)];
    const what = NUMBERS[seen.kind](seen);
    return [seen.head ? `${headName(seen.head)}: ${what}` : what, bound(seen)];
}

/** Each story with the first steps that tell it with a number: of a model of the site, of a published one. */
export function storiesOf() {
    const found = new Map();
    for (const [id, {steps}] of LESSONS.map(one => [one.id, lessons[one.id]]))
        for (const [at, step] of steps.entries())
            for (const story of (step.seen || step.page) && step.stories ? step.stories : []) {
                const row = found.get(story) ?? {story, here: null, hub: null};
                row[step.hub ? 'hub' : 'here'] ??= {...step, lesson: id, at};
                found.set(story, row);
            }
    return [...found.values()];
}

const cells = list => `| ${list.join(' | ')} |`;
const linkOf = ({lesson, at}) => `\`#v=2&lesson=${lesson}&step=${at}\``;

function rowOf({here, hub}) {
    const step = here ?? hub;
    const [what, limit] = promise(step);
    const also = here && hub ? `; as published: ${linkOf(hub)}` : '';
    const link = linkOf(step) + also;
    const model = step.state?.model ?? 'mini-en';
    return cells([step.title.en, here ? 'yes' : 'hub only', link, model, what, limit]);
}

const ABOVE = `# The articles’ stories, and where the page tells them

Written by \`node tests/stories.mjs --table\` from the lessons’ data (\`web/lessons/data/\`); a test compares it.

A **yes** is a step of a lesson, on a model that comes with the site: \`tests/browser/stories.test.mjs\` opens its link in a browser and holds the
number that it reads off the page against the bound; figure and pinned row must be in the window, without scrolling at 1440 × 900 and 1280 × 800,
at 390 × 844 within one swipe where there are two figures, else at once. \`npm run stories\` prints the numbers; \`tests/js/snapshots/stories.txt\` has what each draws. Tokens are counted from 0, [CLS] first.
**Hub only** means that no model of the site shows it (Turkish, German, four fine-tuned tasks): the link names the real model and the page asks before
it loads it. The browser test follows such links to a random checkpoint of the same layers and heads; \`npm run stories -- --hub\` downloads the real
ones and holds their numbers against the bounds.
`;

/** The whole of docs/stories.md. */
export function table() {
    const rows = storiesOf();
    const here = rows.filter(row => row.here).length;
    return `${ABOVE}
${rows.length} stories: ${here} yes, ${rows.length - here} hub only.

${cells(['Story', 'Told', 'Link', 'Model', 'Number', 'Bound'])}
${cells(Array(6).fill('---'))}
${rows.map(rowOf).join('\n')}
`;
}
