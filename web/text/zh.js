/* zh - 页面上的全部中文。键与 text/en.js 一一对应，有测试比对。
 */

import {modelViewZh} from './model_zh.js';
import {inside, neuron, steps} from './inside_zh.js';
import {extrasZh} from './extras.zh.js';
import {changeWords, findWords} from './asking_zh.js';
import {runs} from './runs.js';

const SENTENCE = ['A', 'B'];

/** @type {typeof import('./en.js').en} */
export const zh = {
    code: 'zh',
    name: '中文',
    pageTitle: 'Headlight：看看 BERT 的注意力头在做什么',
    heading: 'BERT 在注意什么',
    lede: '在每个注意力头里，每个词元都会看一遍所有词元，并把总和为 1 的权重分给它们。模型就在这个页面里运行，图中的线都是它实际算出的权重。',
    query: '查询',
    queryDoes: '在看',
    key: '键',
    keyDoes: '被看',
    weight: '权重',
    position: '序号',
    headWord: '注意力头',

    views: '视图',
    viewTitles: /** @type {Record<string, string>} */ ({
        head: '注意力头视图',
        model: '模型视图',
        neuron: '神经元视图', steps: '逐步计算',
        find: '查找注意力头',
        change: '改动对比',
    }),
    controls: '文本、层和注意力头',
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
    computing: '计算中…',
    ready: (count, ms) => `${count} 个词元，计算用时 ${ms < 10 ? ms.toFixed(1) : Math.round(ms)} 毫秒`,
    dropped: (count, sentence, most) => `句子 ${SENTENCE[sentence]} 末尾的 ${count} 个词元被截去：这个模型最多读 ${most} 个。`,
    problem: '没有成功：',
    problemKept: '图中仍是之前的内容。',
    retry: '重试',
    close: '关闭',

    nextSentence: '下一句预测',
    nextSentenceSays: '模型给出的概率：B 是不是 A 的下一句',
    follows: 'B 是 A 的下一句',
    random: 'B 与 A 无关',
    fillings: '[MASK] 处可能是什么',
    fillingAt: position => `第 ${position} 位的 [MASK]`,
    tableTitle: '以表格查看数值',
    figureLabel: '注意力图',
    panelLabel: '所选词元的数值',
    canvasHelp: '方向键在词元间移动，回车固定所选词元，Esc 取消。',

    head: {
        queryColumn: '查询词元',
        keyColumn: '键词元',
        howTo: [
            '每条线从左边的查询（在看的词元）连到右边的键（被看的词元）。一种颜色代表一个注意力头，权重越大，线越深。',
            '指向一个词元，就只显示它的连线，数值列在这里；点一下可以固定。',
        ],
        looksAt: '在看',
        lookedAtBy: '被谁看',
        meanOf: count => `${count} 个头的平均权重`,
        weightOf: head => `注意力头 ${head} 的权重`,
        sum: (sum, fromQuery, filtered) => `对${filtered ? '图中' : '全部'}${fromQuery ? '键' : '查询'}求和：${sum}`,
        topKeys: '每个头最关注的词元',
        topQueries: '每个头里最关注它的词元',
        nthKey: n => ['最强的键', '第二', '第三'][n - 1],
        sharpest: '最集中的头',
        tableCaption: (layer, heads) => `第 ${layer} 层，注意力头 ${runs(heads, '、')}：按平均权重列出每个查询最强的几个键，以及单个权重最大的头。`,
        describe: ({layer, heads, tokens, best}) => `第 ${layer} 层注意力图，注意力头 ${runs(heads, '、')}，共 ${tokens} 个词元。` +
            `最强的连线：${best.query} 看 ${best.key}，注意力头 ${best.head}，权重 ${best.weight}。`,
        svgTitle: (layer, heads) => `第 ${layer} 层、注意力头 ${runs(heads, '、')} 的注意力：左为查询，右为键`,
    },
    modelView: modelViewZh,
    inside, neuron, steps,
    find: findWords,
    change: changeWords,
    footer: '全部计算都在你的设备上完成，文本不会上传。',
};
