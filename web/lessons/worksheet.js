/* worksheet - the reader's answers to a lesson's questions as a file to hand in: a row a question, as CSV or as
 * a Markdown table. Fetched when it is asked for.
 */
import {decimal} from '../draw/scale.js';
import {downloadText} from '../save/files.js';
import {csvOf} from '../save/texts.js';
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

/** @param {'csv' | 'md'} kind @param {Lesson} lesson @param {Answers} answers @param {Words} words
 * @param {string} code of the page's language */
export function saveWorksheet(kind, lesson, answers, words, code) {
    const table = tableOf(lesson, answers, words, code);
    const name = `headlight-${lesson.id}-worksheet.${kind}`;
    if (kind === 'csv') downloadText(csvOf(table), 'text/csv', name);
    else downloadText(markdownOf(table, words), 'text/markdown', name);
}
