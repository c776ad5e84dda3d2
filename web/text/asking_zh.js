/* asking_zh - “查找注意力头”和“改动对比”两个视图的中文，属于 text/zh.js；
 * 键与 text/asking_en.js 一一对应。
 */

/** @type {typeof import('./asking_en.js').findWords} */
export const findWords = {
    howTo: [
        '先点在看的词元（查询），再点被看的词元（键）：所有注意力头会按前者给后者的权重排名。点一行就打开那个头。',
        '地图上每个点是一个注意力头，在这段文本上看法相近的头离得近。坐标轴本身没有含义，左右上下也没有。',
    ],
    text: '逐个词元的文本',
    pick: '点一个词元，另选一对。',
    pickKey: '再点键，也就是被看的词元。',
    waiting: '选好键之后，这里列出各个头的排名。',
    looksAt: '看',
    swap: '交换方向',
    ranked: '哪些头最常这样看',
    even: weight => `刻度线是 ${weight}：平均看所有词元的头会给出的权重；× 是它的多少倍。`,
    headName: (layer, head) => `第 ${layer} 层，头 ${head}`,
    open: (layer, head) => `在注意力头视图中打开第 ${layer} 层、头 ${head}`,
    choose: (layer, head) => `查看与第 ${layer} 层、头 ${head} 相近的头`,
    more: count => `列出全部 ${count} 个头`,
    fewer: '只列前几个',
    map: '哪些头行为相近',
    mapKeys: '注意力头地图：方向键在头之间移动，回车选定。',
    colour: '着色',
    colours: {layer: '按层', pattern: '按模式'},
    patterns: {
        next: '下一个词元',
        previous: '上一个词元',
        self: '自身',
        cls: '[CLS]',
        sep: '[SEP]',
        same_word: '相同的词',
        other_sentence: '另一个句子',
        none: '没有明显模式',
    },
    pointName: (layer, head, pattern) => `第 ${layer} 层，头 ${head}：${pattern}`,
    fit: (share, stress) =>
        `这个平面保留了头与头之间 ${share} 的差异（应力 ${stress}）；坐标轴没有含义，只看远近。`,
    alike: (layer, head) => `与第 ${layer} 层、头 ${head} 相近的头`,
    chosenIs: pattern => `它至少一半的注意力给了：${pattern}。`,
    chosenNone: '没有哪种模式占到它注意力的一半。',
    openIt: '在注意力头视图中打开',
    divergence:
        '与所选头的 Jensen-Shannon 散度，对全部查询取平均：0 表示相同，最大为 ln 2 = 0.693。',
    rank: '名次',
    times: '相当于均匀的倍数',
    apart: '散度',
    pattern: '模式',
    tableCaption: (layer, head) =>
        `全部注意力头，按查询给键的权重排列，并列出与第 ${layer} 层、头 ${head} 的散度和地图上的位置。`,
    describe: ({query, key, layer, head, weight}) =>
        `${query} 看 ${key}，权重最大的是第 ${layer} 层的注意力头 ${head}：${weight}。`,
};

/** @type {typeof import('./asking_en.js').changeWords} */
export const changeWords = {
    howTo: [
        '选一个词元，可以把它遮住或换成别的词；也可以在下面关掉一些注意力头。模型会按改动前和改动后各算一遍。',
        '每个小图是一个注意力头：纵向是查询，横向是键。蓝色表示注意力比原来多，橙色表示少。数字是转移了的注意力所占的比例，对全部查询取平均。',
        '关掉某一层的头，只会影响后面各层的注意力。',
    ],
    text: '逐个词元的文本',
    pick: '选一个词元，把它遮住或替换。',
    at: position => `第 ${position} 位`,
    mask: '遮住',
    putBack: '恢复原词',
    otherWord: '换成别的词',
    putIn: '换上',
    oneWord: '只能填一个词，中间不能有空格。',
    offers: '模型认为这里可能是：',
    refused: (word, pieces) =>
        pieces.length > 1
            ? `“${word}”在这个词表里会被切成 ${pieces.length} 个词元（${pieces.join(' ')}）；只有单个词元的词才能替换，所以这里没有改动。`
            : `这个模型的词表里没有“${word}”，所以这里没有改动。`,
    nothing: '还没有改动：前后完全相同。',
    changed: (words, off, zeroed) =>
        `改动：${
            [
                [words, '个词元被替换'],
                [off, '个头被关掉'],
                [zeroed, '个神经元被置零'],
            ]
                .filter(([count]) => count)
                .map(([count, what]) => `${count} ${what}`)
                .join('，') || '都不在这段文本之内'
        }。`,
    reset: '撤销全部改动',
    grid: '每个注意力头的变化',
    press: '点击一个头',
    presses: {show: '放大查看', off: '关掉或打开'},
    cell: (layer, head, moved, off) =>
        `第 ${layer} 层，注意力头 ${head}：${moved} 的注意力发生了转移${off ? '；已关掉' : ''}`,
    gridHint: most =>
        `自上而下是各层，从左到右是各个头。颜色最深处权重变化 ${most}，深浅与变化的平方根成正比。`,
    mapTitle: (layer, head) => `第 ${layer} 层，注意力头 ${head}：改动后减改动前`,
    isOff: '（已关掉）',
    mapKeys: '差值图，纵向是查询，横向是键：用方向键逐格移动。',
    mapHint: most => `纵向是查询，横向是键。颜色最深处为 ${most}，深浅与变化的平方根成正比。`,
    mapSame: '这个头的注意力与原来相同。',
    to: '看',
    predictions: '模型的预测',
    noPredictions: '有句子 B、有 [MASK]，或有词元被替换时，这里会列出改动前后的预测。',
    before: '改动前',
    after: '改动后',
    points: '百分点',
    wordsAt: (position, piece) => `第 ${position} 位（${piece}）最可能的词`,
    moved: '转移比例',
    difference: '差值',
    nthKey: n => ['变化最大的键', '第二', '第三'][n - 1],
    tableCaption: (layer, head) =>
        `第 ${layer} 层，注意力头 ${head}：每个查询转移了的注意力比例，以及权重变化最大的几个键。`,
    describe: (layer, head, moved) =>
        `变化最大的是第 ${layer} 层的注意力头 ${head}：${moved} 的注意力发生了转移。`,
};
