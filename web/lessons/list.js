/* list - the lessons there are, with titles and minutes, in the order in which they are offered, and
 * how each is fetched: a lesson is a file of data in this folder (tests/js/lessons.test.mjs says what it
 * may hold). Its id is part of links.
 */
import {isOwn, ownLesson} from './own.js';

/** @typedef {{en: string, zh: string}} Said   a sentence in each language of the page */

/** @param {Said} said @param {string} code of the page's language */
export const titleOf = (said, code) => said[/** @type {keyof Said} */ (code)] ?? said.en;

/** What links to the tour of before mean. */
const FIRST = 'patterns';

/** article: its steps are the figures of an article, each offered by itself; model: offered only where
 * the site has it.
 * @type {{id: string, minutes: number, article?: boolean, model?: string, title: Said, load: () => Promise<{default:
 *     any}>}[]} */
export const LESSONS = [
    {
        id: 'attention',
        minutes: 10,
        title: {en: 'Attention in ten minutes', zh: '十分钟了解注意力'},
        load: () => import('./data/attention.json'),
    },
    {
        id: 'patterns',
        minutes: 6,
        title: {en: 'Six patterns of attention', zh: '注意力的六种模式'},
        load: () => import('./data/patterns.json'),
    },
    {
        id: 'stepwise',
        minutes: 6,
        title: {en: 'Self-attention, step by step', zh: '自注意力，一步一步来'},
        load: () => import('./data/stepwise.json'),
    },
    {
        id: 'inside',
        minutes: 8,
        title: {en: 'How a head does it', zh: '一个头是怎么做到的'},
        load: () => import('./data/inside.json'),
    },
    {
        id: 'specialised',
        minutes: 6,
        title: {en: 'Are heads specialised?', zh: '注意力头有分工吗？'},
        load: () => import('./data/specialised.json'),
    },
    {
        id: 'explanation',
        minutes: 6,
        title: {en: 'Is attention explanation?', zh: '注意力就是解释吗？'},
        load: () => import('./data/explanation.json'),
    },
    {
        id: 'causal',
        minutes: 4,
        model: 'mini-gpt-en',
        title: {en: 'A model that only looks back', zh: '只能往回看的模型'},
        load: () => import('./data/causal.json'),
    },
    {
        id: 'cross',
        minutes: 4,
        model: 'mini-de-en',
        title: {en: 'Cross-attention aligns words', zh: '交叉注意力把词对齐'},
        load: () => import('./data/cross.json'),
    },
    {
        id: 'vig1',
        minutes: 4,
        article: true,
        title: {
            en: 'Vig: six patterns from 100 million parameters',
            zh: 'Vig：从一亿个参数里看出六种模式',
        },
        load: () => import('./data/vig1.json'),
    },
    {
        id: 'vig2',
        minutes: 4,
        article: true,
        title: {en: 'Vig, part 2: inside the computation', zh: 'Vig（二）：计算的内部'},
        load: () => import('./data/vig2.json'),
    },
    {
        id: 'chapter',
        minutes: 4,
        article: true,
        title: {en: 'Mastering Transformers, chapter 11', zh: '《精通 Transformers》第 11 章'},
        load: () => import('./data/chapter.json'),
    },
    {
        id: 'vector',
        minutes: 3,
        article: true,
        title: {en: 'BERT: self-attention, with vectors', zh: 'BERT 之 self-attention：用向量来算'},
        load: () => import('./data/vector.json'),
    },
    {
        id: 'heads',
        minutes: 4,
        article: true,
        title: {en: 'The Heads Hypothesis', zh: '头部假设（The Heads Hypothesis）'},
        load: () => import('./data/heads.json'),
    },
];

/** @param {string} id one that is not known is the first: links are typed and cut
 * @param {import('../state/state.js').State} [link] whose text a teacher's questions are about @returns {Promise<import('./step.js').Lesson>} */
export async function lessonOf(id, link) {
    if (link && isOwn(id)) return ownLesson(id, link);
    const entry =
        LESSONS.find(one => one.id === id) ?? LESSONS.find(one => one.id === FIRST) ?? LESSONS[0];
    return {id: entry.id, title: entry.title, ...(await entry.load()).default};
}

/** The lessons that are told here, without the articles. @param {import('../base/shared.js').Menu} menu */
export const lessonsHere = menu =>
    LESSONS.filter(({article, model}) => !article && (!model || menu.some(({id}) => id === model)));

/** The lesson without the steps whose model the site does not have, or with what they are otherwise. Those that
 * are nothing otherwise come last, so that links to the others keep their number.
 * @template {{steps: {state?: any, otherwise?: any}[]}} L @param {L} lesson
 * @param {import('../base/shared.js').Menu} menu @returns {L} */
export const stepsHere = (lesson, menu) => ({
    ...lesson,
    steps: lesson.steps.flatMap(step => {
        const {state: {model = ''} = {}, otherwise} = step;
        if (model === '' || model.includes('/') || menu.some(({id}) => id === model)) return [step];
        return otherwise ? [{...step, ...otherwise}] : [];
    }),
});
