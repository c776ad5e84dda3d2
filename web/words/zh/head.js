/* head - 注意力头视图的文字和各视图的名称：打开页面时就要显示。由 page.js 引入；
 * 其他视图的文字见 views.js，打开时再载入。
 */
import {element} from './element.js';

/** @type {typeof import('../en/head.js').head} */
export const head = {
    viewTitles: /** @type {Record<string, string>} */ ({
        head: '注意力头视图',
        heatmap: '热图',
        model: '模型视图',
        neuron: '神经元视图',
        steps: '逐步计算',
        find: '查找注意力头',
        why: '为什么',
        decides: '取决于什么',
        next: '下一个词',
        change: '改动对比',
    }),
    viewWord: /(.+)(视图|注意力头)$/,
    nothingPredicted: '这里没有预测',
    head: {
        ...element.head,
        pictured: '词元之间的连线',
        howTo: [
            '每条线从左边的查询（在看的词元）连到右边的键（被看的词元）。一种颜色代表一个注意力头，权重越大，线越深。',
            '指向一个词元，就只显示它的连线，数值列在这里。点击固定，Shift+点击再加一个，双击遮住（换成 [MASK]）。' +
                '键盘：方向键、回车、Shift+回车、M、Esc。',
            '两侧的小格，一格对应一个注意力头：这个词元平均得到多少注意力。点击一个词元，就能看到它自己的注意力给了谁。',
        ],
        summed: count => `（${count} 个词元之和）`,
        pin: '固定',
        unpin: '取消固定',
        addOthers: '再加几个',
        mask: '遮住',
        unmask: '恢复原词',
        maskedHere: '模型在这里读到的是 [MASK]。',
        unknown: '词表里没有，模型读到的是 [UNK]：',
        expected: '这里的预测，原词：',
        expectedMasked: '预测的词，原词：',
        expectedColumn: '这里的预测',
        meanGiven: '平均给每个键的权重（按头）',
        meanReceived: '平均从每个查询得到的权重（按头）',
        received: head => `得到的平均权重，注意力头 ${head}`,
        receivedMean: '得到的平均权重',

        mix: '合并方式',
        mixes: /** @type {Record<string, string>} */ ({
            heads: '各个头',
            mean: '各头平均',
            layers: '各层平均',
            rollout: 'Rollout',
        }),
        mixTitles: /** @type {Record<string, string>} */ ({
            heads: '分别显示每个选中的注意力头，一种颜色一个头',
            mean: '本层选中的注意力头的平均',
            layers: '选中的注意力头在所有层上的平均',
            rollout: '注意力 rollout：到这一层为止，每个输入词元有多少到达每个位置，包含所有头',
        }),
        level: '行',
        levels: {pieces: '按词元', words: '按词'},
        levelTitles: {
            pieces: '模型词表里的词元',
            words: '按输入的样子分词：以空格和标点为界；中文请用空格把词隔开',
        },
        groupedNote: '中文按输入的样子分组：在词与词之间加空格，就能按词查看。',
        moved: name => `${name}，传递量`,
        ofMoved: {
            looksAt: count => (count === 1 ? '取自' : '合起来取自'),
            lookedAtBy: count => (count === 1 ? '传递给' : '合起来传递给'),
            meanOf: count => `${count} 个头的平均传递量占比`,
            weightOf: head => `注意力头 ${head} 的传递量占比`,
        },
        more: '显示选项',
        top: '只显示最强的注意力',
        topHint: '每个词元只保留最大的权重，直到加起来达到这个比例。',
        hideSpecials: '隐藏 [CLS] 和 [SEP]',
        hideSpecialsHint: '其余权重保持原值，不重新归一化。',
        hideFirst: '隐藏第一个词元',
        hideFirstHint: '因果模型把大量注意力放在它上面。其余权重保持原值。',
        showFillings: '预测的词',
        showFillingsHint: '在每个词旁边写出模型最有把握的预测。',
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
};
