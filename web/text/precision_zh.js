/* precision.zh - “精度”面板（web/ui/precision.js）的中文。
 * 键与 text/precision_en.js 一一对应，有测试比对。 */

/** @type {typeof import('./precision_en.js').precisionEn} */
export const precisionZh = {
    title: '这些数值有多精确',
    close: '关闭',
    now: '当前的计算方式',
    weights: '权重',
    stores: {
        q8: 'int8，每个输出一个缩放系数',
        f32: 'float32，与文件中一致：没有舍入，因此无需选择',
    },
    activations: '激活值',
    precisions: {fine: '精细', fast: '快速'},
    precisionHints: {
        fine: '每个值最多 14 位，注意力用 float32；更接近 float32，用时最多增加一半',
        fast: '每个值 8 位，每行最大的几个值另加一位数字，注意力用 13 至 16 位；默认',
    },
    wasm: 'WebAssembly',
    runsOn: (relaxed, count) =>
        `${relaxed ? '宽松 SIMD（relaxed）' : '普通 SIMD'}${count > 1 ? `，至多 ${count} 个线程` : ''}`,
    pass: '上次计算',
    took: (ms, count) => `${count} 个词元用时 ${ms} 毫秒`,
    memory: '内存',
    uses: (all, weights) => `${all ? `${all}，` : ''}其中权重 ${weights}`,

    measured: model => `事先测得（${model}）`,
    measuredOn: (sentences, rows) =>
        `UD English-EWT 的 ${sentences} 个句子，共 ${rows} 行注意力，包括所有层和注意力头；每句遮住一个词。` +
        '这些是该模型的数字，别的模型可能相差更大。来源：',
    against: {same: '对照：同样的 int8 权重，其余用 float32', f32: '对照：舍入之前的 float32 权重'},
    measure: '量',
    mean: '平均 |Δ 注意力|',
    p999: '99.9 百分位',
    max: '最大',
    changed: '首位键不同的行',
    fillings: '[MASK] 首选词不同',
    ofAll: (some, all, share) => `${some} / ${all}（${share}）`,

    here: '对本页的文本',
    about: '在另一个后台线程中用 float32 把这段文本再算一遍，逐个对照页面上的注意力权重。',
    needs: size => `float32 权重约需 ${size} 内存，是 int8 的四倍；用完即归还。`,
    run: '用 float32 重新计算并对照',
    again: '再对照一次',
    cancel: '取消',
    cancelled: '已取消。',
    steps: {
        load: amount => `正在以 float32 载入权重${amount && `：${amount}`}`,
        maps: amount => `正在对照各层：${amount}`,
        words: amount => `正在对照首选词：${amount}`,
    },
    amount: (done, total) => `${done} / ${total}`,
    moved: '页面已开始计算别的内容。等它算完，再对照一次。',
    failed: '没有成功：',
    failedHelp:
        '页面保持原样。如果内存不足，请关闭其他标签页和程序，或换用较小的模型或较短的文本，然后再试。',
    codes: {
        true: '模型文件本身就是 int8：两边的权重相同，都是 int8 编码乘以缩放系数。不同的是其余部分：激活值和累加用 float32，不作舍入。舍入之前的权重不在文件里。',
        false: '模型文件是浮点数：这里用文件自己的权重以 float32 计算，对照由它们舍入成的 int8 权重和舍入后的激活值。',
    },
    compared: (precision, count, ms) =>
        `精度：${precision}；${count} 个词元；float32 计算用时 ${ms} 毫秒。`,
    rowsChanged: '首位键不同的行',
    wordsChanged: '首选词不同的位置',
    worst: '相差最大处',
    worstAt: ({layer, head, query, key, ours, exact}) =>
        `第 ${layer} 层，注意力头 ${head}：${query} 看 ${key}，此处 ${ours}，float32 为 ${exact}`,
    picture: '各注意力头的差异',
    tells: {max: '最大值', mean: '平均值'},
    tellsLabel: '颜色表示',
    layer: '层',
    head: '注意力头',
    headName: (layer, head) => `第 ${layer} 层，注意力头 ${head}`,
    headSays: (max, mean, rows) => `最大 ${max}，平均 ${mean}，${rows} 行的首位键不同`,
    headHint: '指向一个注意力头看数值，按下则在图中查看。',
    wordsTable: '首选词不同之处',
    at: '位置',
    ours: '此处',
    exact: 'float32',
    more: count => `另有 ${count} 处`,
};
