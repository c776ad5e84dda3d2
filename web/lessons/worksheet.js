/* worksheet - the reader's answers to a lesson's questions as a file: a row a question, as CSV or as a Markdown
 * table; or as JSON to hand in, which `headlight grade` reads. Fetched when it is asked for.
 */
import {decimal} from '../draw/scale.js';
import {downloadText} from '../save/files.js';
import {csvOf, hashOf} from '../save/texts.js';
import {titleOf} from './list.js';

/** @typedef {import('./pick.js').Answer} Answer
 * @typedef {import('./step.js').Lesson} Lesson
 * @typedef {Record<number, Answer | undefined>} Answers   by the number of the step
 * @typedef {import('../words/languages.js').Lessons['worksheet']} Words */

const user = (/** @type {string} */ text) => ({text, user: /** @type {const} */ (true)});

/** The sentence of a step without one is that of the steps before. @param {Lesson['steps']} steps */
const sentenceOf = steps => {
    const {text = '', textB} = steps.filter(step => step.text !== undefined).at(-1) ?? {};
    return [text, textB].filter(Boolean).join(' | ');
};

/** @param {Lesson} lesson @param {Answers} answers @param {Words} words @param {string} code */
export const tableOf = ({title, steps}, answers, words, code) => ({
    caption: titleOf(title, code),
    columns: words.columns,
    rows: steps.flatMap(({question, check}, at) => {
        if (!question || !check) return [];
        const answer = answers[at];
        const [layer, head] = check.head;
        return [
            [
                at + 1,
                user(answer?.text ?? sentenceOf(steps.slice(0, at + 1))),
                `L${layer}·H${head}`,
                titleOf(question, code),
                ...(answer
                    ? [
                          user(answer.pieces[0]),
                          decimal(answer.weight),
                          user(answer.pieces[1]),
                          decimal(answer.most),
                          answer.picked === answer.best ? words.yes : words.no,
                      ]
                    : ['', '', '', '', words.open]),
            ],
        ];
    }),
});

const textOf = (/** @type {string | number | {text: string}} */ cell) =>
    (typeof cell === 'object' ? cell.text : String(cell)).replace(/[\\|*_`[\]<]/g, '\\$&');

/** With a line for the name of who hands it in, the day, and how many answers are right.
 * @param {ReturnType<typeof tableOf>} table @param {Words} words @param {Date} [now] */
export const markdownOf = ({caption, columns, rows}, words, now = new Date()) =>
    [
        `# ${textOf(caption)}\n`,
        `${words.name}: ${'_'.repeat(24)} ${words.date}: ${now.toLocaleDateString('sv')}\n`,
        `${words.score(rows.filter(row => row.at(-1) === words.yes).length, rows.length)}\n`,
        ...[columns, columns.map(() => '---')].map(list => `| ${list.join(' | ')} |`),
        ...rows.map(row => `| ${row.map(textOf).join(' | ')} |`),
        '',
    ].join('\n');

/** As docs/schema/answers.json says; the sum is of all before it, so that a change by hand is noticed.
 * @param {Lesson} lesson @param {Answers} answers @param {string} name of who hands it in */
export async function answersOf({id, steps}, answers, name, saved = new Date()) {
    const questions = steps.flatMap(({check}, step) =>
        check ? [{step, head: check.head, query: check.query, ...answers[step]}] : [],
    );
    const body = JSON.stringify({headlight: 'answers', lesson: id, name, saved, questions});
    const before = body.slice(0, -1);
    return `${before},"sum":"${await hashOf([before])}"}\n`;
}

/** @param {'csv' | 'md' | 'json'} kind @param {{lesson: Lesson, answers: Answers, words: Words, code: string,
 *     name: string}} of   code: of the page's language; name: of who hands it in */
export async function saveWorksheet(kind, {lesson, answers, words, code, name}) {
    const table = tableOf(lesson, answers, words, code);
    const file = `headlight-${lesson.id}-${kind === 'json' ? name || 'answers' : 'worksheet'}.${kind}`;
    if (kind === 'csv') downloadText(csvOf(table), 'text/csv', file);
    else if (kind === 'md') downloadText(markdownOf(table, words), 'text/markdown', file);
    else downloadText(await answersOf(lesson, answers, name), 'application/json', file);
}
