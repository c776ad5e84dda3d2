/* zh - 页面上的全部中文。键与 text/en.js 一一对应，有测试比对。
 */

import {modelViewZh} from './model_zh.js';
import {inside, neuron, steps} from './inside_zh.js';
import {extrasZh} from './extras_zh.js';
import {changeWords, findWords} from './asking_zh.js';
import {stillZh} from './still_zh.js';

const SENTENCE = ['A', 'B'];

/** @type {typeof import('./en.js').en} */
export const zh = {
    code: 'zh',
    name: '中文',
    pageTitle: 'Headlight：看看 BERT 的注意力头在做什么',
    heading: 'BERT 在注意什么',
    lede: '输入一句话：BERT 模型就在这个网页里运行，逐个注意力头显示哪个词元在看哪个词元、权重有多大。',
    ...stillZh.words,
    weight: '权重',
    position: '序号',
    headWord: '注意力头',

    views: '视图',
    viewTitles: /** @type {Record<string, string>} */ ({
        head: '注意力头视图',
        model: '模型视图',
        neuron: '神经元视图',
        steps: '逐步计算',
        find: '查找注意力头',
        change: '改动对比',
    }),
    controls: '文本、层和注意力头',
    oneBased: '层和注意力头从 1 开始编号',
    textA: '句子 A',
    textB: '句子 B',
    textBNone: '可不填',
    show: '显示',
    showHint: '回车计算新文本，Esc 恢复原文。',
    model: '模型',
    modelOther: '其他模型…',
    modelFolder: '打开文件夹…',
    modelLocal: name => `${name}（本机文件夹）`,
    layer: '层',
    layerName: layer => `第 ${layer} 层`,
    heads: '注意力头',
    headsAll: '全选',
    headsNone: '清空',
    headsNoneHint: '只留一个头，其余关闭：至少要有一个头开着',
    headsHint: '双击或按 Shift+回车：只看这个头。',
    headChip: head => `注意力头 ${head}`,
    filter: '句间方向',
    filterHint: '显示的仍是整段文本中的权重，没有重新归一化。',
    filterNeedsB: '填写句子 B 后可用。',
    filters: {all: '全部', aa: 'A→A', ab: 'A→B', ba: 'B→A', bb: 'B→B'},
    filterNames: {all: '全部词元', aa: 'A 看 A', ab: 'A 看 B', ba: 'B 看 A', bb: 'B 看 B'},

    theme: '外观',
    themes: {auto: '自动', light: '浅色', dark: '深色'},
    language: '语言',
    share: '复制链接',
    shared: '已复制',
    shareFailed: '无法自动复制，请从地址栏复制。',
    ...extrasZh,

    loading: name => `正在载入 ${name}`,
    bytes: (done, total) => (total ? `${done} / ${total}` : done),
    megabytes: bytes => `${(bytes / 1e6).toFixed(1)} MB`,
    preparing: '正在启动',
    early: '此图是预先算好的。',
    coming: '模型正在载入：',
    computing: '计算中…',
    ready: (count, ms) =>
        `${count} 个词元，计算用时 ${ms < 10 ? ms.toFixed(1) : Math.round(ms)} 毫秒`,
    precision: {fine: '精度：精细', fast: '精度：快速', f32: '精度：float32'},
    dropped: (count, sentence, most) =>
        `句子 ${SENTENCE[sentence]} 末尾的 ${count} 个词元被截去：这个模型最多读 ${most} 个。`,
    problem: '没有成功：',
    problemKept: '图中仍是之前的内容。',
    retry: '重试',
    close: '关闭',
    refusedModel:
        '网址里给出的模型是“#”，它不可能是模型的名称：应为菜单中某个模型的 id、Hugging Face hub 上的 org/name，或以 https:// 开头的地址。现在显示的是另一个模型；请在菜单中选择你要的模型。',

    nextSentence: '下一句预测',
    nextSentenceSays: '模型给出的概率：B 是不是 A 的下一句',
    follows: 'B 是 A 的下一句',
    random: 'B 与 A 无关',
    fillings: '[MASK] 处可能是什么',
    fillingAt: position => `第 ${position} 位的 [MASK]`,
    tableTitle: '以表格查看数值',
    canvasHelp: '方向键在词元间移动，回车固定词元，Shift+回车再加一个，M 键遮住，Esc 取消。',

    head: {
        ...stillZh.head,
        howTo: [
            '每条线从左边的查询（在看的词元）连到右边的键（被看的词元）。一种颜色代表一个注意力头，权重越大，线越深。',
            '指向一个词元，就只显示它的连线，数值列在这里。单击固定，Shift+单击再加一个，双击换成 [MASK]。' +
                '键盘：方向键、回车、Shift+回车、M、Esc。',
            '两侧的小格，一格对应一个注意力头：右边是词元平均从查询得到的权重；只显示一部分键时，左边是它平均给出的权重。选中词元后，对侧显示它自己的权重。',
        ],
        summed: count => `（${count} 个词元之和）`,
        pin: '固定',
        unpin: '取消固定',
        addOthers: '再加几个',
        mask: '换成 [MASK]',
        unmask: '恢复原词',
        maskedHere: '模型在这里读到的是 [MASK]。',
        unknown: '词表里没有，模型读到的是 [UNK]：',
        expected: '模型认为这里可能是，原词：',
        expectedMasked: '模型猜测的词，原词：',
        expectedColumn: '模型认为可能的词',
        meanGiven: '平均给每个键的权重（按头）',
        meanReceived: '平均从每个查询得到的权重（按头）',
        received: head => `得到的平均权重，注意力头 ${head}`,
        receivedMean: '得到的平均权重',

        mix: '显示',
        mixes: /** @type {Record<string, string>} */ ({
            heads: '各头',
            mean: '头平均',
            layers: '层平均',
            rollout: 'Rollout',
        }),
        mixTitles: /** @type {Record<string, string>} */ ({
            heads: '分别显示每个选中的注意力头，一种颜色一个头',
            mean: '本层选中的注意力头的平均',
            layers: '选中的注意力头在所有层上的平均',
            rollout: '注意力 rollout：从输入到这一层，逐层累积的注意力，包含所有头',
        }),
        level: '每行一个',
        levels: {pieces: '词元', words: '词'},
        levelTitles: {
            pieces: '模型词表里的词元',
            words: '按输入的样子分词：以空格和标点为界；中文请用空格把词隔开',
        },
        groupedNote: '中文按输入的样子分组：在词与词之间加空格，就能按词查看。',
        more: '更多',
        top: '只显示最强的注意力',
        topHint: '每个查询从最大的权重取起，直到占它给出的权重的这个比例。',
        hideSpecials: '隐藏 [CLS] 和 [SEP]',
        hideSpecialsHint: '其余权重保持原值，不重新归一化。',
        showFillings: '模型认为可能的词',
        showFillingsHint: '最可能的一个写在查询旁边，前五个列在数值里。',
        meanOf: count => `${count} 个头的平均权重`,
        weightOf: head => `注意力头 ${head} 的权重`,
        sum: (sum, fromQuery, filtered) =>
            `对${filtered ? '图中' : '全部'}${fromQuery ? '键' : '查询'}求和：${sum}`,
        topKeys: '每个头最关注的词元',
        topQueries: '每个头里最关注它的词元',
        nthKey: n => ['最强的键', '第二', '第三'][n - 1],
        sharpest: '最集中的头',
        tableCaption: (name, perHead) =>
            `${name}：按平均权重列出每个查询最强的几个键${perHead ? '，以及单个权重最大的头' : ''}；` +
            '还有该词元作为键平均得到的权重。',
        svgTitle: name => `注意力：${name}；左为查询，右为键`,
    },
    modelView: modelViewZh,
    inside,
    neuron,
    steps,
    find: findWords,
    change: changeWords,
    update: {ready: '本页面的新版本已就绪。', reload: '重新加载'},
    footer: '全部计算都在你的设备上完成，文本不会上传。',
};
