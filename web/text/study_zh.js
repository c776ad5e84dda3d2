/* study_zh - the words of the corpus desk in Chinese; the keys of text/study_en.js.
 */
import {studiesZh} from './studies_zh.js';
import {studyRolesZh} from './study_roles_zh.js';

/** @param {number} count */
const thousands = count => count.toLocaleString('zh-CN');
/** @param {number} seconds */
const time = seconds =>
    seconds < 90 ? `${Math.max(1, Math.round(seconds))} 秒` : `${Math.round(seconds / 60)} 分钟`;

/** @type {Omit<typeof import('./study_en.js').studyEn, 'code' | keyof typeof studiesZh | keyof
 *     typeof studyRolesZh>} */
const deskZh = {
    heading: '每个注意力头在整个语料库上做什么',
    lede: '让许多文本通过模型，并在全部文本上测量每个头：得到的是带离散程度、样本数和检验的数字，而不只是一张图。',
    rail: '语料库与研究',
    corpus: '语料库',
    corpora: {sentences: '带句法树的句子', pairs: '句对', pronouns: '代词及其所指'},
    own: '自己的',
    ownName: name => `${name}（自己的）`,
    ownTitle: '打开自己的语料库',
    file: '选择文件…',
    paste: '粘贴…',
    address: '从网址…',
    pasteLabel: '每行一句；句对之间用制表符隔开；也可以是 CoNLL-U',
    pasted: '粘贴的文本',
    addressLabel: '文本文件的网址（https）',
    addressHint: '对方网站须允许网页读取（CORS）。文件只传到本页，不会去别处。',
    use: '使用',
    back: '取消',
    drop: '拖放语料库：句子、句对、TSV、CoNLL-U、指称标注、GAP',
    fetching: '正在读取语料库',
    bytes: (done, total) => (total ? `${done} / ${total}` : done),
    size: bytes =>
        bytes < 1e6
            ? `${Math.max(1, Math.round(bytes / 1000))} kB`
            : `${(bytes / 1e6).toFixed(1)} MB`,
    formats: {
        auto: '自动判断',
        lines: '每行一句',
        pairs: '句对，制表符分隔',
        tsv: '带列名的 TSV',
        conllu: 'CoNLL-U',
        coref: '指称标注',
        gap: 'GAP（代词）',
    },
    summary: (format, items) => `${format}，${thousands(items)} 条`,
    readAs: '换一种读法',
    format: '格式',
    columnNames: {a: '句子 A', b: '句子 B', label: '标签'},
    noColumn: '无',
    model: '模型',
    study: '研究',
    lacks: {
        relations: '此语料库没有句法关系；CoNLL-U 才有。',
        pairs: '此语料库没有句对。',
        mentions: '此语料库没有标注指称；指称标注格式和 GAP 的 TSV 才有。',
        labels: '此语料库没有标签；请在“换一种读法”中选择标签列。',
        other: '没有第二个模型；请从文件夹打开一个。',
    },
    noCorpus: '请先选择语料库。',
    run: '运行',
    again: '重新运行',
    cancel: '取消',
    limit: '条数',
    limitName: limit => (limit ? `最多 ${thousands(limit)}，随机抽取` : '全部'),
    few: items => `样本很少：只有 ${thousands(items)} 条。不足 20 条时，结果可能出于偶然。`,
    second: '第二个模型',
    secondFolder: '打开文件夹…',
    baseline: '同时用随机权重运行一遍',
    noBaseline: '否',
    baselineHint: '作为对照：未经训练的模型仅凭位置和偶然能得到什么；时间加倍。',
    drawn: {
        random: {name: '随机权重', hint: '全部权重随机抽取，词嵌入也不例外：一个一无所知的模型。'},
        'random-layers': {
            name: '随机层、原有词嵌入',
            hint: '各层随机抽取，词嵌入保留原模型的：高出它的部分才是各层学到的。',
        },
    },
    memory: (workers, each, all) =>
        workers > 1
            ? `${workers} 个工作线程，各有一份模型（${each}）：共占内存 ${all}。`
            : `一个工作线程，自带一份模型（${each}）。`,
    waiting: '等待模型',
    loading: '正在加载模型',
    running: (part, parts) =>
        parts > 1 ? `运行中，第 ${part + 1} 部分，共 ${parts} 部分` : '运行中',
    steps: (done, total) => `${thousands(done)} / ${thousands(total)}`,
    rate: (rate, left) =>
        `每秒 ${rate < 10 ? rate.toFixed(1) : Math.round(rate)} 条，还需 ${time(left)}`,
    notYet: '还没有运行过。',
    of: ({items, corpus, model, seconds, workers, cut, tokens}) =>
        `${corpus}的 ${thousands(items)} 条，${model}；${thousands(tokens)} 个词元` +
        `${cut ? `，${thousands(cut)} 条文本因超过模型长度而被截断` : ''}；${workers} 个工作线程用时 ${time(seconds)}。`,
    stale: what => `以下结果属于 ${what}。要得到当前选择的结果，请重新运行。`,
    staleSettings: '设置已改变。要得到当前设置的结果，请重新运行。',
    finished: title => `${title}：已完成。`,
    problem: '没有成功：',
    close: '关闭',
    save: '保存结果',
    csv: 'CSV',
    json: 'JSON',
    svg: 'SVG',
    saved: name => `已保存 ${name}。`,
    table: '以表格显示数字',
    map: {
        layer: '层',
        head: '头',
        rest: '指向某个头可看它的数字；点按可看它如何工作。',
        name: place => `头 ${place}`,
        none: '没有数值',
    },
};

/** @type {typeof import('./study_en.js').studyEn} */
export const studyZh = {code: 'zh', ...deskZh, ...studiesZh, ...studyRolesZh};
