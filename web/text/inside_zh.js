/* inside_zh - 神经元视图和逐步计算视图的中文，由 zh.js 引入。键与 inside_en.js 一一对应。
 * 列表里的元素可以是已包好的词元，不能拼成一个字符串。
 */

/** @type {typeof import('./inside_en.js').inside} */
export const inside = {
    head: '注意力头',
    was: '原',
    readout: '所指单元格的数值',
    numbersOf: count => `全部 ${count} 个数值`,
};

/** @type {typeof import('./inside_en.js').neuron} */
export const neuron = {
    howTo: [
        '查询词元去看各个键词元。每一行把查询向量 q 与该行的键向量 k 逐个神经元相乘，乘积之和除以 √d 就是得分，再经 softmax 变成权重。',
        '蓝色为正，橙色为负。指向一个查询可看它的各行，点一下固定。指向单元格，数值显示在下方；点单元格，则把这个头所有查询中的该神经元置零。',
    ],
    blocks: '显示',
    neuron: '神经元',
    zero: '置零',
    restore: '恢复',
    restoreAll: count => (count ? `恢复全部神经元（${count} 个）` : '恢复全部神经元'),
    buttonFor: (index, note) => `神经元 ${index}${note && `，占领先量 ${note}`}：置零`,
    nobody: '这里所有键的得分都相同，没有起决定作用的神经元。',
    looksMost: (query, key, weight, lead) => [
        query,
        ' 最关注 ',
        key,
        `（权重 ${weight}），它的得分比其他键的平均得分高 ${lead}。`,
    ],
    half: (count, width) =>
        `${width} 个神经元中，${count} 个就贡献了领先量的一半${count === 1 ? '以上' : ''}：`,
    andMore: count => `另有 ${count} 个`,
    overAll: ({least, median, most, queries, common}, width) =>
        `这个头的全部 ${queries} 个查询：中位数为 ${width} 个中的 ${median} 个（${least} 到 ${most}）。` +
        `其中最常出现的是神经元 ${common
            .slice(0, 3)
            .map(({neuron: index, count}) => `${index}（${count} 次）`)
            .join('、')}。`,
    zeroNow: '这个头中已置零：',
    effects: '对比预测结果',
    before: '之前',
    noChange: '还没有改动：先把一个神经元置零，再来对比。',
    then: '从权重到输出：值向量、加权和、输出投影',
    sumName: '这个头的上下文向量：a × v 对所有键求和',
    projection: '输出投影',
    projectionSays: head =>
        `各个头的上下文向量拼接起来，再乘一个矩阵；结果与词元自己的向量相加，并做层归一化。框出的部分属于注意力头 ${head}。`,
    contextName: '所有头的上下文向量，拼接后',
    projectedName: '乘输出矩阵，加偏置',
    outputName: '加上本层输入，层归一化：这个词元经过注意力之后的向量',
    tableCaption: (layer, head, query, all) =>
        `第 ${layer} 层，注意力头 ${head}，查询 ${query}。` +
        (all
            ? '每行一个键；q 是该行词元自己的查询向量；最后一行是 a×v 之和。'
            : '每行一个键；文本较长，向量只列出 q×k。'),
    describe: ({layer, head, query, key, weight, neurons, width, zeroed}) =>
        `第 ${layer} 层、注意力头 ${head} 的神经元视图，查询 ${query}。` +
        (key
            ? `它最关注 ${key}，权重 ${weight}；领先量的一半来自 ${width} 个神经元中的 ${neurons.join('、')}。`
            : '所有键的得分相同。') +
        (zeroed.length ? `已置零的神经元：${zeroed.join('、')}。` : ''),
    svgTitle: (layer, head, query) => `第 ${layer} 层、注意力头 ${head} 如何算出 ${query} 看向哪里`,
};

/** @type {typeof import('./inside_en.js').steps} */
export const steps = {
    howTo: [
        '用这个模型、这段文本的真实数值，把自注意力分八步算给你看。选一个词元、一层和一个头，用按钮或方向键前进。蓝色为正，橙色为负。',
    ],
    token: '词元',
    form: '显示方式',
    forms: {vectors: '一个词元的向量', matrices: '全部词元的矩阵'},
    back: '上一步',
    next: '下一步',
    all: '步骤',
    whole: '完整的计算式；点其中一部分可跳到对应步骤',
    nth: (step, count) => `第 ${step} 步，共 ${count} 步`,
    point: '指向单元格可读出数值。',
    row: row => `第 ${row} 行`,
    column: column => `第 ${column} 列`,
    pooled: (rows, columns) => `每点取 ${rows} × ${columns} 中绝对值最大的数`,
    rowsOnly: (from, to) => `第 ${from}–${to} 行，即这个头的部分`,
    names: {
        word: '词',
        position: '位置',
        segment: '句段',
        sum: '和',
        input: '本层输入',
        query: '查询',
        key: '键',
        value: '值',
        weight: '权重',
        score: '得分',
        context: '上下文',
        joined: '所有头拼接',
        projected: '投影后',
        output: '输出',
        residual: '加上输入后',
        bias: '偏置',
    },
    moments: (mean, deviation) => `均值 μ = ${mean}，标准差 σ = ${deviation}`,
    total: total => `指数之和为 ${total}；各项除以它就得到权重，权重之和为 1。`,
    laterLayer: layer => `文本这样进入第 0 层。第 ${layer} 层的输入则是第 ${layer - 1} 层的输出。`,
    off: '这个头已关闭：不使用它的加权和，以零代替。',
    stages: {
        embed: {
            title: '嵌入',
            says: '三个学到的向量相加：词向量、位置向量、句段向量，再用层归一化把和调整到统一的尺度。',
            saysMatrix: '所有词元一起算：每行一个词元。三张表相加，再逐行归一化。',
        },
        project: {
            title: '查询、键、值',
            says: '本层输入 x 分别乘以这个头的三个权重矩阵。查询表示这个词元在找什么，键表示别人凭什么找到它，值是它要传出去的内容。',
            saysMatrix: '一次矩阵乘法得到所有词元的查询，再各一次得到键和值。',
        },
        scores: {
            title: '得分',
            says: '查询与每个词元的键逐个神经元相乘再求和：数越大，两者越匹配。',
            saysMatrix: '所有查询乘所有键：第 i 行第 j 列表示查询 i 与键 j 有多匹配。',
        },
        scale: {
            title: '缩放',
            says: '相加的神经元越多，和的波动越大。除以 √d，无论头的宽度是多少，得分都保持在相近的范围。',
            saysMatrix: '每个得分都除以同一个数。',
        },
        softmax: {
            title: 'Softmax',
            says: '取指数后得分都变成正数，再除以它们的和，就成为总和为 1 的权重。得分每高 1，权重就变为 e = 2.72 倍。',
            saysMatrix: '逐行计算：每行权重之和为 1。注意力头视图画的就是它。',
        },
        weigh: {
            title: '加权的值',
            says: '每个词元的值向量乘以它的权重：越受关注，分量越重。',
            saysMatrix: '用所选一行的权重去乘 V 的各行。',
        },
        sum: {
            title: '求和',
            says: '把加权后的值加起来，就是这个头为该词元收集到的信息。',
            saysMatrix: '权重矩阵乘值矩阵：每个词元一行，是各个值的加权平均。',
        },
        output: {
            title: '输出',
            says: '所有头的结果拼接起来，乘以输出矩阵；与本层输入相加并做层归一化后，交给本层的前馈网络。',
            saysMatrix: '对所有词元同样计算。输出矩阵只画出属于这个头的行，其他头各有自己的行。',
        },
    },
    caption: (step, title, layer, head, token) =>
        `第 ${step} 步，${title}：第 ${layer} 层，注意力头 ${head}，词元 ${token}`,
    describe: (caption, says) => `${caption}。${says}`,
};
