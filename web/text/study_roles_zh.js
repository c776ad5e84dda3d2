/* study_roles_zh - what the studies of roles, distances, two models and published claims say in
 * Chinese; the keys of text/study_roles_en.js.
 */
import {claimsZh} from './study_claims_zh.js';

/** @type {typeof import('./study_roles_en.js').studyRolesEn['roles']} */
const roles = {
    names: {
        local: '局部',
        delimiter: '分隔符',
        cls: '[CLS]',
        sep: '[SEP]',
        block: '分块',
        nsubj: 'nsubj',
        obj: 'obj',
        amod: 'amod',
        advmod: 'advmod',
        syntactic: '句法',
        block_published: '分块（论文原式）',
    },
    map: '各头的角色',
    rest: '指向某个头可看它的角色；点按则在下方列出它的全部得分。',
    legend: name => `显示的角色：头数${name ? `（${name}）` : ''}与上限`,
    presets: {fine: '细分', coarse: '大类', all: '全部'},
    notTested: '未检验',
    ceilingOf: value => `≤ ${value}`,
    below: '低于 τ',
    refused: {
        ceiling: (name, ceiling, tau) =>
            `${name}：未检验。在这些文本上任何头的得分都不会超过 ${ceiling}，而 τ 为 ${tau}。请调低 τ 或换用更长的文本。`,
        pairs: name => `${name}：未检验，需要句对。`,
        relations: name => `${name}：未检验，此语料库没有这种关系；CoNLL-U 格式才有。`,
        few: name => `${name}：未检验，含有它的文本不足两条。`,
    },
    test: '检验',
    tau: '阈值 τ（均匀注意力的倍数）',
    even: '1 均匀',
    published: '3 论文取值',
    tauHint:
        '若单侧 t 检验表明一个头的平均得分高于 τ，则认定它具有该角色。分块得分已除以均匀注意力的得分（论文原式为 ln n），因此每种角色都以 1 为均匀。',
    tauBlock: '分块的阈值',
    alpha: '显著性水平 α',
    correction: '多重检验',
    corrections: {none: '不校正', bh: 'Benjamini–Hochberg'},
    sd: '标准差',
    sds: {population: '总体（论文做法）', sample: '样本'},
    direction: '句法角色',
    directions: {dependent: '词 → 支配词', governor: '支配词 → 词', both: '两者平均'},
    role: '角色',
    mean: '平均',
    sdShort: '标准差',
    n: '文本数',
    interval: '95 % 区间',
    has: '具有',
    yes: '是',
    no: '否',
    head: '头',
    layer: '层',
    headNumber: '编号',
    low: '区间下限',
    high: '区间上限',
    ceilingName: '上限',
    ceiling: value => `平均上限 ${value}`,
    beside: name => `${name}的全部头：平均（最高）`,
    caption: '每个头在所显示各角色上的筛偏得分与检验结果。',
    say: (place, list) => (list ? `头 ${place}：${list}` : `头 ${place}：没有这些角色`),
    hasRoles: list => `角色：${list}。`,
    hasNone: '不具有所显示的任何角色。',
    scoresOf: name => `得分分布：${name}`,
    scoresSay: (name, mean, n) => `此头在 ${n} 条文本上的“${name}”得分直方图，平均 ${mean}。`,
    noScores: name => `没有一条文本有“${name}”得分。`,
    even1: '均匀',
    scoreAxis: '得分（均匀注意力的倍数）',
    texts: '文本数',
    open: (item, score) => `打开第 ${item} 条文本，此处得分为 ${score}`,
    perLayer: '各层的角色',
    several: '多重角色',
    layersSay: (name, counts) => `${name}，各层头数：${counts}`,
    overlap: '哪些角色同时出现',
    overlapHint: '每行一种组合：恰好具有这些角色的头。点按数字可在图上突出显示它们。',
    setSizes: '占全部头',
    headsWith: '头数',
    noRole: '无角色',
    noHeads: '没有头具有这些角色。',
    headCount: count => `${count} 个头`,
    pTitle: 'p 值',
    pAxis: 'p',
    tests: '检验数',
    pSays: (count, low, high) => `${count} 次检验：${low} 的 p 值低于 0.05，${high} 高于 0.95。`,
    note: (model, corpus, {tau, alpha, correction, sd, items}) =>
        `${model}；${corpus}，${items} 条；τ = ${tau}，α = ${alpha}，` +
        `${correction === 'bh' ? 'Benjamini–Hochberg 校正' : '不校正'}，${sd === 'sample' ? '样本' : '总体'}标准差`,
    describe: (tau, count, all, each) =>
        `τ = ${tau} 时，${all} 个头中有 ${count} 个具有所显示的角色${each ? `：${each}` : ''}。`,
};

/** @type {typeof import('./study_roles_en.js').studyRolesEn['distances']} */
const distances = {
    by: '颜色与形状',
    colourings: {cluster: '聚类', kind: '类型（Clark 等，2019）', layer: '层'},
    clusterCount: '聚类数',
    auto: '自动（轮廓系数）',
    clusterColumn: '聚类',
    kind: '类型',
    map: '行为相似的头彼此靠近',
    mapKeys: '头的地图；方向键在头之间移动，回车选定',
    kinds: {
        next: '下一个词元',
        previous: '上一个词元',
        entropy: '分散',
        cls: '[CLS]',
        sep: '[SEP]',
        punctuation: '句号、逗号',
        none: '无类型',
    },
    cluster: n => `聚类 ${n}`,
    clusterSays: (count, middle, inside, kinds) =>
        `${count} 个头，中心为 ${middle}${count > 1 ? `，与中心的平均散度 ${inside} 奈特` : ''}${kinds ? `；${kinds}` : ''}`,
    say: ({place, cluster, kind, near, distance}) =>
        `头 ${place}：聚类 ${cluster}${kind ? `，${kind}` : ''}${near ? `；最近的是 ${near}，相距 ${distance} 奈特` : ''}`,
    fit: (share, stress) =>
        `平面保留了 ${share} % 的差异；应力 ${stress}（0 表示完全真实）。近处的点比远处的更可信。`,
    kindHint: (limit, even) =>
        `平均值高于 0.5（下一个、上一个）、0.6（[CLS]、[SEP]、句号和逗号）或熵高于 ${limit} 奈特即归入一类；在这些文本上均匀的头的熵为 ${even}。`,
    nearest: '最近的头：',
    open: '在第一条文本上查看',
    clusters: '聚类',
    clustersHint: silhouette =>
        `以中心头为准（k-medoids），用散度的平方根聚类${silhouette ? `；平均轮廓系数 ${silhouette}（1 为分明，0 为没有）` : ''}。`,
    heat: '任意两个头之间的散度（奈特）',
    heatKeys: '散度热图；方向键在格子间移动，回车选定该行的头',
    heatRest: '指向一格可看是哪两个头。任意两个头的距离不超过 ln 2 = 0.693。',
    pair: (a, b, value) => `头 ${a} 与 ${b}：${value} 奈特`,
    caption: '每个头的聚类、类型和位置，以及它与其他各头的散度（奈特）。',
    describe: ({clusters, near, far}) =>
        `${clusters} 个聚类。最相似的是头 ${near[0]} 与 ${near[1]}（${near[2]} 奈特），最不同的是 ${far[0]} 与 ${far[1]}（${far[2]}）。`,
};

/** @type {typeof import('./study_roles_en.js').studyRolesEn['compare']} */
const compare = {
    which: (before, after) =>
        `之前：${before}。之后：${after}。差值均为“之后 − 之前”，按文本配对做 t 检验。`,
    sep: '各层对 [SEP] 的注意力',
    all: '全部',
    before: '之前',
    after: '之后',
    difference: '差值',
    what: '角色或度量',
    change: '变化',
    roles: '得到与失去的角色',
    roleMap: '得到的角色数减去失去的角色数',
    shown: '显示的角色：得到、失去',
    gained: '得到',
    lost: '失去',
    measures: '每个头某一度量的变化',
    measureMap: name => `${name}：之后 − 之前`,
    movement: (up, down, same, alpha, margin) =>
        `${up} 个头上升，${down} 个下降，${same} 个两者皆非：上升或下降须既显著（对全部检验做 Benjamini–Hochberg 校正，α = ${alpha}；以 * 标出），` +
        `效应量又不小于 d = ${margin}（平均差除以其标准差）。`,
    rest: '指向某个头可看它的数字；点按可在变化最大的文本上查看。',
    sayMeasure: ({place, before, after, difference, q}) =>
        `头 ${place}：之前 ${before}，之后 ${after}，差值 ${difference}，q = ${q}`,
    sayRoles: (place, gained, lost, kept) =>
        `头 ${place}：${[gained && `得到 ${gained}`, lost && `失去 ${lost}`, kept && `保留 ${kept}`].filter(Boolean).join('；') || '前后均无角色'}`,
    layersSay: (gained, lost) => `各层角色：得到 ${gained}；失去 ${lost}。`,
    caption: '每个头的每种角色与度量在前后的数值，配对检验；q 为 Benjamini–Hochberg 校正后的值。',
    describe: ({before, after, difference, gained, lost}) =>
        `全部头对 [SEP] 的平均注意力：之前 ${before}，之后 ${after}（${difference}）。所显示的角色得到 ${gained} 个，失去 ${lost} 个。`,
};

/** @type {typeof import('./study_roles_en.js').studyRolesEn} */
export const studyRolesZh = {roles, distances, compare, claims: claimsZh};
