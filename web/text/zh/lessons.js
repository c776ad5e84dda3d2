/* lessons - 示例、课程与文章插图周围的中文。课程正文（各种语言）在 ui/lessons/ 里各自的文件中。
 */

/** @type {typeof import('../en/lessons.js').lessons} */
export const lessons = {
    offers: {
        examples: '示例',
        lessons: '课程',
        articles: '文章里的图',
        history: '之前输入的文本',
        forget: '清空这个列表',
        clearB: '去掉句子 B',
        swap: '交换 A 和 B',
        minutes: minutes => `${minutes} 分钟`,
    },
};
