/* first - 首屏上问题与回答（page.js）之外的中文：这个头的作用，以及通往其他内容的入口。
 */

/** @typedef {import('preact').ComponentChildren} Node */
/** @param {number} share */
const perCent = share => `${Math.round(100 * share)}%`;

/** @type {typeof import('../en/first.js').first} */
export const first = {
    answer: (head, answer) => ['在注意力头 ', head, ' 里，it 在看 ', answer, '。'],
    swapped: (word, answer, same) => [
        `换成 ${word} 之后：`,
        answer,
        same ? '。句子的意思变了，这个头没有变。' : '。这个头随意思而变。',
    ],
    without: (before, head, after) => [
        '遮住 it，模型预测 ',
        before,
        '；关掉 ',
        head,
        ' 后是 ',
        after,
        '。',
    ],
    stays: '排第一的词不变。',
    turns: '排第一的词变了。',
    waits: '正在计算关掉它之后的结果……',
    about: {
        model: '这个网页在你的设备上运行着一个小语言模型',
        lines: '，每条线是它的一个注意力头在看什么',
        end: '。',
        lesson: '第一次来？十分钟入门',
    },
    back: head => `再看 ${head}`,
    swap: (word, before) => `把 ${before} 换成 ${word}`,
    off: '关掉这个头',
    all: '所有的头',
    role: (head, {texts, share, heads}) => [
        `在 ${texts} 段文本上，`,
        head,
        ` 的作用是找到一个词所依附的词（不计 [CLS] 和 [SEP]，${perCent(share)} 的词，${heads} 个头里最高）。`,
    ],
    coref: ({items, share}, best, most) => [
        `代词指什么，它在 ${items} 句中找对 ${perCent(share)}；`,
        best,
        ` 找对 ${perCent(most)}。`,
    ],
    on: '更多内容',
    entrances: ({claims}) => ({
        patterns: ['六种模式', '下一个词、相同的词、[SEP]：多数头在做什么，逐个来看。'],
        claims: [
            '已发表的结论',
            claims
                ? `论文中的 ${claims.all} 条结论：${claims.found} 条在这个模型里成立，${claims.missing} 条不成立，${claims.all - claims.found - claims.missing} 条未检验。未与随机层比较。`
                : '论文中的结论，在这个模型上测量。',
        ],
        find: ['找一个头', '给出两个词：哪些头从一个看向另一个？'],
        steps: ['一步一步来', '从一个词到它的注意力，途中的每个数。'],
        text: ['自己的文本', '输入一句话，模型就在网页里运行。'],
        model: ['自己的模型', '一个文件夹，或 Hugging Face 上的名字。'],
    }),
};
