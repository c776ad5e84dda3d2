/* model_zh - 模型视图中的中文；属于 text/zh.js。
 * 键与 text/model_en.js 一一对应。
 */

/** @type {typeof import('./model_en.js').modelViewEn} */
export const modelViewZh = {
    grid: '全部注意力头：每行一层，每列一个头',
    name: (layer, head) => `第 ${layer} 层，注意力头 ${head}`,
    head: '注意力头',
    howTo: [
        '模型的每个注意力头是一幅小图：从上到下是各层，从左到右是各个头。图越淡，说明这个头的注意力越分散。',
        '指向一个头可以看它的数值；点一下放大，按 Esc 返回。',
    ],
    readLines: '左为查询，右为键',
    readHeatmaps: '纵向为查询，横向为键；深浅为权重的平方根',
    picture: '小图样式',
    pictures: {lines: '连线', heatmaps: '热力图'},
    measure: '边框颜色表示',
    noMeasure: '不使用',
    measures: /** @type {Record<string, string>} */ ({
        entropy: '熵',
        next: '后一个词元',
        previous: '前一个词元',
        self: '自身',
        cls: '[CLS]',
        sep: '[SEP]',
        same_word: '相同的词',
        other_sentence: '另一个句子',
        punctuation: '标点',
        entropy_cls: '[CLS] 的熵',
        sep_sep: '[SEP] 看 [SEP]',
        other_sep: '其他词元看 [SEP]',
    }),
    nats: '奈特',
    order: '排序',
    orders: {model: '按编号', layer: '层内排序', all: '全部排序'},
    orderTitles: {model: '按模型中的次序', layer: '在每一层内从大到小', all: '所有头一起从大到小'},
    keepLayers: '保留的层',
    keepHeads: '保留的头',
    measureCaption: '注意力所占比例（对各查询取平均）；熵的单位为奈特',
    strongest: '最强的连线',
    strongestQuery: '最强连线的查询',
    toHeadView: '在注意力头视图中打开',
    back: '返回全部注意力头',
    tableCaption: '每个注意力头的各项指标（对各查询取平均）和最强的连线。',
    describe: ({heads, tokens, best}) =>
        `模型视图：${heads} 个注意力头，${tokens} 个词元。` +
        (best.length
            ? `各项指标最高的头：${best.map(({name, layer, head, value}) => `${name}：第 ${layer} 层注意力头 ${head}，${value}`).join('；')}。`
            : ''),
    svgTitle: (layers, heads) => `${layers} 层、每层 ${heads} 个头的注意力`,
};
