/* page - 页面一开始就要显示的中文：标题、控件、状态、出错信息；注意力头视图的文字（head.js）由此引入。
 * 其他视图、对话框和语料库研究的文字见 views.js、dialogs.js 与 studies.js。
 */
import {element} from './element.js';
import {head} from './head.js';

const SENTENCE = ['A', 'B'];

/** @type {typeof import('../en/page.js').page} */
export const page = {
    code: 'zh',
    name: '中文',
    pageTitle: causal => `Headlight：看看 ${causal ? 'GPT' : 'BERT'} 的注意力头在做什么`,
    heading: causal => `${causal ? 'GPT' : 'BERT'} 在注意什么`,
    question: word => ['这里的 ', word, ' 指什么？'],
    ...element.words,
    weight: '权重',
    moved: '传递量（占比）',
    shows: {
        legend: '显示',
        names: {weight: '权重', moved: '传递量'},
        titles: {weight: '注意力权重', moved: '每个头传递的量：权重乘以值向量的长度'},
        imported: '这里只有权重，没有值向量，算不出传递量。',
    },
    position: '序号',
    headWord: '注意力头',
    oneHead: '注意力头',

    views: '视图',
    controls: '文本、层和注意力头',
    oneBased: '层和注意力头从 1 开始编号',
    textA: '句子 A',
    textB: '句子 B',
    textBNone: '第二句，可不填',
    show: '显示',
    model: '模型',
    modelMore: ['添加', '模型'],
    modelOther: '其他模型…',
    modelFolder: '打开文件夹…',
    modelLocal: name => `${name}（本机文件夹）`,
    layer: '层',
    play: '逐层播放',
    layerName: layer => `第 ${layer} 层`,
    comma: '、',
    layerComing: name => `${name}正在载入`,
    heads: '注意力头',
    headsAll: '全选',
    headsNone: '仅一个',
    headsNoneHint: '只看一个',
    headsHint: '双击或按 Shift+回车：只看这个头。',
    headChip: head => `注意力头 ${head}`,
    filter: '句间方向',
    filterHint: '权重仍是整段文本的，没有重新归一化。',
    filterNeedsB: '填写句子 B 后可用。',
    filters: {all: '全部', aa: 'A→A', ab: 'A→B', ba: 'B→A', bb: 'B→B'},
    filterNames: {all: '全部词元', aa: 'A 看 A', ab: 'A 看 B', ba: 'B 看 A', bb: 'B 看 B'},

    theme: '外观',
    themes: {auto: '自动', light: '浅色', dark: '深色'},
    language: '语言',
    share: '复制链接',
    shared: '已复制',
    shareFailed: '无法自动复制，请从地址栏复制。',
    modesLabel: '看什么',
    modes: {text: '文本', corpus: '语料库'},
    save: {
        label: '保存',
        folderHint: '链接里放不下你的文件夹，存成网页则可以。',
        importedHint: '链接里放不下你的文件，存成网页则可以。',
    },
    gallery: {file: 'gallery-zh.html', text: '把 Headlight 放进其他网页'},
    imported: {
        close: '回到模型',
        open: '导入自己的注意力数据…',
        drop: '把注意力文件、模型文件夹或其中的各个文件拖放到这里',
        read: (count, name) => `从 ${name} 读入 ${count} 个词元`,
    },

    loading: name => `正在载入 ${name}`,
    bytes: (done, total) => (total ? `${done} / ${total}` : done),
    megabytes: bytes => `${(bytes / 1e6).toFixed(1)} MB`,
    size: bytes =>
        bytes < 1e9 ? `${Math.round(bytes / 1e6)} MB` : `${(bytes / 1e9).toFixed(1)} GB`,
    rate: amount => `每秒 ${amount}`,
    left: seconds =>
        seconds < 90 ? `约剩 ${Math.ceil(seconds)} 秒` : `约剩 ${Math.ceil(seconds / 60)} 分钟`,
    again: failures => `连接中断，稍后续传（第 ${failures + 1} 次）。`,
    layersThere: (count, all) => `共 ${all} 层，已有 ${count} 层可以查看`,
    cancel: '取消',
    loadInstead: name => `载入 ${name}`,
    preparing: '正在启动',
    precomputed: '此图是预先算好的。',
    coming: '模型正在载入：',
    awaited: (text, amount) => `${text ? '你的文本' : '结果'}将在模型载入后显示（${amount}）。`,
    help: '怎样看这张图',
    pointHint: '指向图中的一处，数值就显示在这里。',
    computing: '计算中…',
    ready: (count, ms) => `${count} 个词元，用时 ${ms < 10 ? ms.toFixed(1) : Math.round(ms)} 毫秒`,
    precision: {
        fine: '精度：精细',
        fast: '精度：快速',
        f32: '精度：float32',
        both: '精度：此处精细',
    },
    dropped: (count, sentence, most) =>
        `句子 ${SENTENCE[sentence]} 末尾的 ${count} 个词元被截去：这个模型最多读 ${most} 个。`,
    problem: '没有成功：',
    problemKept: '图中仍是之前的内容。',
    retry: '重试',
    close: '关闭',

    tableCut: (shown, all) => `（只列出前 ${shown} 行，共 ${all} 行；保存的文件是完整的）`,
    tableTitle: '以表格查看数值',
    canvasHelp: '方向键移动，回车固定，Shift+回车再加一个，M 遮住，Esc 取消。',

    ...head,
    footer: '全部计算都在你的设备上完成，文本不会上传。',
};
