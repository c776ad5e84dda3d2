/* study_roles_zh - what the studies of roles, distances, two models and published claims say in Chinese; the keys of
 * text/study_roles_en.js.
 */

/** @type {typeof import('./study_roles_en.js').studyRolesEn['roles']} */
const roles = {
    names: {local: '局部', delimiter: '分隔符', cls: '[CLS]', sep: '[SEP]', block: '分块', nsubj: 'nsubj', obj: 'obj', amod: 'amod', advmod: 'advmod', syntactic: '句法'},
    map: '各头的角色',
    legend: '显示的角色：头数与上限',
    presets: {fine: '细分', coarse: '大类', all: '全部'},
    notTested: '未检验',
    ceilingOf: value => `≤ ${value}`,
    below: '低于 τ',
    refused: {
        ceiling: (name, ceiling, tau) => `${name}：未检验。在这些文本上任何头的得分都不会超过 ${ceiling}（n/|S|），而 τ 为 ${tau}。请调低 τ 或换用更长的文本。`,
        pairs: name => `${name}：未检验，需要句对。`,
        relations: name => `${name}：未检验，此语料库没有这种关系；CoNLL-U 格式才有。`,
        few: name => `${name}：未检验，含有它的文本不足两条。`,
    },
    test: '检验',
    tau: '阈值 τ（均匀注意力的倍数）',
    even: '1 均匀', published: '3 论文取值',
    tauHint: '若单侧 t 检验表明一个头的平均得分高于 τ，则认定它具有该角色。',
    alpha: '显著性水平 α',
    correction: '多重检验', corrections: {none: '不校正', bh: 'Benjamini–Hochberg'},
    sd: '标准差', sds: {population: '总体（论文做法）', sample: '样本'},
    direction: '句法角色',
    directions: {dependent: '词 → 支配词', governor: '支配词 → 词', both: '两者平均'},
    role: '角色', mean: '平均', sdShort: '标准差', n: '文本数', interval: '95 % 区间', has: '具有', yes: '是', no: '否',
    head: '头', layer: '层', headNumber: '编号', low: '区间下限', high: '区间上限', ceilingName: '上限', ceiling: value => `上限 ${value}`,
    caption: '每个头在所显示各角色上的筛偏得分与检验结果。',
    say: (place, list) => (list ? `头 ${place}：${list}` : `头 ${place}：没有这些角色`),
    hasRoles: list => `角色：${list}。`,
    hasNone: '不具有所显示的任何角色。',
    scoresOf: name => `得分分布：${name}`,
    scoresSay: (name, mean, n) => `此头在 ${n} 条文本上的“${name}”得分直方图，平均 ${mean}。`,
    noScores: name => `没有一条文本有“${name}”得分。`,
    even1: '均匀', scoreAxis: '得分（均匀注意力的倍数）', texts: '文本数',
    open: (item, score) => `打开第 ${item} 条文本，此处得分为 ${score}`,
    perLayer: '各层的角色', several: '多重角色',
    layersSay: (name, counts) => `${name}，各层头数：${counts}`,
    overlap: '哪些角色同时出现',
    overlapHint: '每行一种组合：恰好具有这些角色的头。点按数字可在图上突出显示它们。',
    setSizes: '占全部头', headsWith: '头数',
    noRole: '无角色', noHeads: '没有头具有这些角色。',
    headCount: count => `${count} 个头`,
    pTitle: 'p 值', pAxis: 'p', tests: '检验数',
    pSays: (count, low, high) => `${count} 次检验：${low} 的 p 值低于 0.05，${high} 高于 0.95。`,
    note: (model, corpus, {tau, alpha, correction, sd, items}) => `${model}；${corpus}，${items} 条；τ = ${tau}，α = ${alpha}，` +
        `${correction === 'bh' ? 'Benjamini–Hochberg 校正' : '不校正'}，${sd === 'sample' ? '样本' : '总体'}标准差`,
    describe: (tau, count, all, each) => `τ = ${tau} 时，${all} 个头中有 ${count} 个具有所显示的角色${each ? `：${each}` : ''}。`,
};

/** @type {typeof import('./study_roles_en.js').studyRolesEn} */
export const studyRolesZh = {roles};
