/* views - 注意力头视图以外各视图的中文，打开时载入；注意力头视图的文字见 head.js。列表里的元素可以是已包好的词元，不能拼成一个字符串。
 */
import {headName} from '../../draw/head_name.js';

/** @type {typeof import('../en/views.js').views} */
export const views = {
    pair: {
        title: '下一句预测',
        says: '模型给出的概率：B 是不是 A 的下一句',
        follows: 'B 是 A 的下一句',
        random: 'B 与 A 无关',
    },
    modelView: {
        shareKeys: key => `这些头共用键头 ${key} 的键和值`,
        grid: '全部注意力头：每行一层，每列一个头',
        name: headName,
        head: '注意力头',
        pictured: '所显示的全部头',
        howTo: [
            '模型的每个注意力头是一幅小图：从上到下是各层，从左到右是各个头。图越淡，说明这个头的注意力越分散。',
            '指向一个头可以看它的数值；点击放大，按 Esc 返回。',
        ],
        readLines: '左为查询，右为键',
        readHeatmaps: '纵向为查询，横向为键；深浅为权重的平方根',
        picture: '小图样式',
        pictures: {lines: '连线', heatmaps: '热图'},
        measure: '边框颜色',
        noMeasure: '无',
        measures: /** @type {Record<string, string>} */ ({
            entropy: '熵',
            next: '下一个词元',
            previous: '上一个词元',
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
        orderNeeds: '按指标排序：请先在上面选择一个指标。',
        orders: {model: '按编号', layer: '层内排序', all: '全部排序'},
        orderTitles: {
            model: '按模型中的次序',
            layer: '在每一层内从大到小',
            all: '所有头一起从大到小',
        },
        keepLayers: '保留的层',
        keepHeads: '保留的头',
        measureCaption: '注意力所占比例（对各查询取平均）；熵的单位为奈特',
        strongest: '最强的连线',
        strongestQuery: '最强连线的查询',
        toHeadView: '在注意力头视图中打开',
        back: '返回全部注意力头',
        previous: '上一个注意力头',
        next: '下一个注意力头',
        tableCaption: '每个注意力头的各项指标（对各查询取平均）和最强的连线。',
        describe: ({heads, tokens, best}) =>
            `模型视图：${heads} 个注意力头，${tokens} 个词元。` +
            (best.length
                ? `各项指标最高的头：${best.map(({name, layer, head, value}) => `${name}：${headName(layer, head)}，${value}`).join('；')}。`
                : ''),
        svgTitle: (layers, heads) => `${layers} 层、每层 ${heads} 个头的注意力`,
    },
    inside: {
        head: '注意力头',
        was: '原',
        readout: '所指单元格的数值',
        numbersOf: count => `全部 ${count} 个数值`,
    },
    neuron: {
        pictured: '查询、键与权重',
        howTo: [
            '查询词元去看各个键词元。每一行把查询向量 q 与该行的键向量 k 逐个神经元相乘，乘积之和除以 √d 就是得分，再经 softmax 变成权重。',
            '蓝色为正，橙色为负。指向一个查询可看它的各行，点击固定。指向单元格，数值显示在下方；点单元格，则把这个头所有查询中的该神经元置零。',
        ],
        together: other => `与第 ${other} 个一起旋转`,
        blocks: '显示',
        neuron: '神经元',
        zero: '置零',
        restore: '恢复',
        restoreAll: count => (count ? `恢复全部神经元（${count} 个）` : '恢复全部神经元'),
        buttonFor: (index, note) => `神经元 ${index}${note && `，占得分优势 ${note}`}：置零`,
        nobody: '这里所有键的得分都相同，没有起决定作用的神经元。',
        looksMost: (query, key, weight, lead) => [
            query,
            ' 最关注 ',
            key,
            `（权重 ${weight}），它的得分比其他键的平均得分高 ${lead}。`,
        ],
        half: (count, width) =>
            `${width} 个神经元中，${count} 个就贡献了得分优势的一半${count === 1 ? '以上' : ''}：`,
        andMore: count => `另有 ${count} 个`,
        overAll: ({least, median, most, queries, common}, width) =>
            `全部 ${queries} 个词元：起决定作用的通常是 ${width} 个神经元中的 ${median} 个（${least} 到 ${most}）；` +
            `最常见的是神经元 ${common
                .slice(0, 3)
                .map(({neuron: index, count}) => `${index}（${count} 个词元）`)
                .join('、')}。`,
        several: '比较几个查询',
        severalSays:
            '最多三个查询的 q × k 并排，色阶相同。上方标出的神经元贡献了得分优势的一半，框出的是得分最高的键。点击词元即可选择查询。',
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
        outputName: '加上本层输入，再做层归一化：经过注意力之后的词元',
        tableCaption: (layer, head, query, all) =>
            `${headName(layer, head)}，查询 ${query}。` +
            (all
                ? '每行一个键；q 是该行词元自己的查询向量；最后一行是 a×v 之和。'
                : '每行一个键；文本较长，向量只列出 q×k。'),
        describe: ({layer, head, query, key, weight, neurons, width, zeroed}) =>
            `${headName(layer, head)} 的神经元视图，查询 ${query}。` +
            (key
                ? `它最关注 ${key}，权重 ${weight}；得分优势的一半来自 ${width} 个神经元中的 ${neurons.join('、')}。`
                : '所有键的得分相同。') +
            (zeroed.length ? `已置零的神经元：${zeroed.join('、')}。` : ''),
        svgTitle: (layer, head, query) => `${headName(layer, head)} 如何算出 ${query} 看向哪里`,
    },
    steps: {
        pictured: '当前这一步',
        howTo: [
            '用这个模型、这段文本的真实数值，把自注意力一步一步算给你看。选一个词元、一层和一个头，用按钮或方向键前进。蓝色为正，橙色为负。',
            '开始时选的头只关注少数几个词元，权重便于比较；别的头也可能把全部权重给一个词元。',
        ],
        token: '词元',
        allTokens: '全部词元',
        form: '显示方式',
        forms: {vectors: '一个词元的向量', matrices: '全部词元的矩阵'},
        back: '上一步',
        next: '下一步',
        all: '步骤',
        play: '一步接一步地播放',
        playWord: '逐步播放',
        whole: '完整的计算式；点其中一部分可跳到对应步骤',
        nth: (step, count) => `第 ${step} 步，共 ${count} 步`,
        point: '指向单元格可读出数值。',
        ends: (layer, isLast) => ({
            before: isLast
                ? '模型到此结束，它在这个词元处预测：'
                : `若模型在第 ${layer} 层之后就结束，它在这个词元处会预测：`,
            after: isLast ? '。' : '。这是 logit lens 的原始读数：只有最后一层为此训练过。',
        }),
        noWords: '这个模型不预测词，所以无法读出它在这一层之后会说什么。',
        row: row => `第 ${row} 行`,
        column: column => `第 ${column} 列`,
        pooled: (rows, columns) => `每点取 ${rows} × ${columns} 中绝对值最大的数`,
        everyNth: n => `每 ${n} 个词元标出一个。`,
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
            normed: '归一化后',
            rotated: '旋转后',
            masked: '掩蔽后',
            fed: 'MLP 所加',
            layerOutput: '本层的输出',
        },
        moments: (mean, deviation) => `均值 μ = ${mean}，标准差 σ = ${deviation}`,
        rms: size => `均方根 = ${size}`,
        turned: (half, token, theta) =>
            `第 n 和第 n + ${half} 个神经元是一个点的两个坐标，这个点旋转 ${token} / ${theta}^(n / ${half}) 弧度，其中 ${token} 是词元的位置。`,
        turnedScaled: (half, token, theta) =>
            `第 n 和第 n + ${half} 个神经元是一个点的两个坐标，这个点旋转的角度是 ${token} 乘以随 n 减小的频率：1 / ${theta}^(n / ${half})，并为更长的文本缩放过。${token} 是词元的位置。`,
        embedding: ({positions, types, norm}) =>
            `词有一个学到的向量${positions ? '，加上位置向量' : ''}${types ? '，加上句段向量' : ''}。` +
            `${positions ? '' : '位置信息稍后通过查询和键引入。'}${norm ? `再用 ${norm} 调整到统一的尺度。` : ''}`,
        outputFirst:
            '所有头的结果拼接起来，乘以输出矩阵，再加上本层输入；得到的和交给本层的前馈网络，那里另有一次归一化。',
        outputBeside:
            '所有头的结果拼接起来，乘以输出矩阵，再加上本层输入。前馈网络不等这一步：它取的也是本层输入，另有自己的归一化。',
        total: total => `指数之和为 ${total}；各项除以它就得到权重，权重之和为 1。`,
        laterLayer: (layer, first) =>
            `文本这样进入第 ${first} 层。第 ${layer} 层的输入则是第 ${layer - 1} 层的输出。`,
        off: '这个头已关掉：它的加权和以零代替。',
        leads: {
            embed: ({embedded}) => `“{token}”进入模型时，是一个由 ${embedded} 个数组成的向量。`,
            norm: () => '头读取之前，先把“{token}”的向量调整到统一的尺度。',
            project: ({layer, head, d}) =>
                `${headName(layer, head)} 由“{token}”的向量算出查询、键和值，各 ${d} 个数。`,
            rotate: ({position}) => `“{token}”在位置 ${position}，它的查询和键据此旋转。`,
            scores: ({product}) => `“{token}”的查询与“{key}”的键最匹配：${product}。`,
            scale: ({d, root, product, score}) =>
                `“{token}”的每个得分都除以 √${d} = ${root}，例如对“{key}”的 ${product} 变成 ${score}。`,
            distance: () => '按各个键与“{token}”的距离修正它的得分。',
            mask: ({seen, tokens}) =>
                `“{token}”能看到 ${tokens} 个词元中的 ${seen} 个，其余的被掩蔽。`,
            softmax: ({weight}) => `“{token}”的得分变成权重，“{key}”得到的最大：${weight}。`,
            weigh: ({weight}) => `“{token}”按权重从每个值中取一份，从“{key}”取得最多：${weight}。`,
            sum: ({layer, head, d}) =>
                `${headName(layer, head)} 为“{token}”收集到的信息，是一个由 ${d} 个数组成的向量。`,
            output: ({layer}) =>
                `第 ${layer} 层的所有头在这里汇合：它们为“{token}”收集到的信息加到它的向量上。`,
            feed: ({layer, width}) =>
                `“{token}”离开第 ${layer} 层时仍是一个由 ${width} 个数组成的向量，但已带上收集到的信息。`,
        },
        stages: {
            embed: {
                title: '嵌入',
                says: '三个学到的向量相加：词向量、位置向量、句段向量，再用层归一化把和调整到统一的尺度。',
                saysMatrix: '所有词元一起算：每行一个词元。三张表相加，再逐行归一化。',
            },
            norm: {
                title: '归一化',
                says: '这里归一化在注意力之前：本层输入先调整到统一的尺度，再乘以学到的增益，只有它参与后面的计算；输入本身在最后加回来。',
                saysMatrix: '每一行各自归一化。',
            },
            project: {
                title: '查询、键、值',
                says: '本层输入 x 分别乘以这个头的三个权重矩阵。查询表示这个词元在找什么，键表示别人凭什么找到它，值是它要传出去的内容。',
                saysMatrix: '一次矩阵乘法得到所有词元的查询，再各一次得到键和值。',
            },
            rotate: {
                title: '旋转',
                says: '查询和键每两个神经元一组，按位置旋转一个角度，位置越靠后转得越多。这样查询与键的乘积就取决于两者相隔多远。',
                saysMatrix: '第 i 行按位置 i 的角度旋转。',
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
            distance: {
                title: '距离',
                says: '每个得分加上一个学到的数，它由两个词元之间的距离决定。',
                saysMatrix: '同一条对角线上加的数相同。',
            },
            mask: {
                title: '掩码',
                says: '查询不允许看到的键得分设为 −∞：指数为 0，权重也就为 0。',
                saysMatrix: '被掩蔽的格子留白。',
            },
            softmax: {
                title: 'Softmax',
                says: '取指数后得分都变成正数，再除以它们的和，总和就是 1。得分每高 1，权重就变为 e = 2.72 倍。计算时先从所有得分中减去最大的一个，指数就不会大得无法表示，权重不变。',
                saysMatrix: '逐行计算：每行权重之和为 1。注意力头视图画的就是它。',
            },
            weigh: {
                title: '加权的值',
                says: '每个词元的值向量乘以它的权重：越受关注，分量越重。',
                saysMatrix: '用所选一行的权重去乘 V 的各行。',
            },
            sum: {
                title: '求和',
                says: '把加权后的值逐个神经元加起来。权重之和为 1，所以这是各个值的平均，越受关注的词元分量越重。',
                saysMatrix: '权重矩阵乘值矩阵：每个词元一行，是各个值的加权平均。',
            },
            output: {
                title: '输出',
                says: '所有头的结果拼接起来，乘以输出矩阵；与本层输入相加并做层归一化后，交给本层的前馈网络。',
                saysMatrix:
                    '对所有词元同样计算。输出矩阵只画出属于这个头的行，其他头各有自己的行。',
            },
            feed: {
                title: '前馈网络',
                says: '每个词元各自通过 MLP。',
                saysMatrix: '每一行各自通过 MLP。',
            },
        },
        feed: ({gated, act, norm, normFirst}) =>
            '这里词元之间互不关注：每个词元各自通过一个小网络（MLP），' +
            (gated
                ? `它带有门控：一个乘积经过 ${act}，逐个神经元决定另一个乘积能通过多少；`
                : `由两次矩阵乘法组成，中间是 ${act}；`) +
            (normFirst
                ? `输入先经过 ${norm}，结果再加回去，其和就是下一层的输入。`
                : `结果加回去，再经过 ${norm}，就是下一层的输入。`),
        caption: (step, title, layer, head, token) =>
            `第 ${step} 步，${title}：${headName(layer, head)}，词元 ${token}`,
        describe: (caption, lead, says) => `${caption}。${lead}${says}`,
    },
    next: {
        pictured: '可能的下一个词，以及每个位置最可能的词',
        howTo: [
            '因果模型（如 GPT）给词表中每个词一个“接下来出现”的概率。点一个词元，看模型在它之后预期什么。',
            '点一个词就写下它，也可以让模型接着写。写出的词元属于文本，每个视图都显示它们的注意力。',
            '掩码模型（如 BERT）同时看两边：遮住一个词元，它会说那里适合什么词。',
        ],
        none: '这个模型没有预测词的输出层。GPT 预测下一个词，掩码模型预测被遮住的词。',
        writes: '这个模型填空，不续写。遮住一个词，看看哪些词合适；或换这个模型来续写：',
        text: '逐词元的文本',
        marks: '␣ 是词前的空格；<|endoftext|> 标明文本从这里开始。',
        title: {
            next: (position, piece) => `第 ${position} 位（${piece}）之后的下一个词元`,
            masked: (position, piece) => `第 ${position} 位（${piece}）的词`,
        },
        hint: (presses, kind, how) =>
            (presses ? (kind === 'next' ? '点一个词就写下它。' : '点一个词就放在那里。') : '') +
            (how
                ? `条形和第一个数：经过温度 ${how.temperature}、top-k ${how.topK} 和 top-p ${how.topP} 之后抽到它的概率。刻度和第二个数：模型自己的概率（softmax）。`
                : '条形和数：模型自己的概率（softmax）。温度、top-k 和 top-p 都没有改变它。'),
        own: share => `模型 ${share}`,
        waits: '正在计算预测……',
        goesOn: (there, nth, share) =>
            `文本接下来是“${there}”：${nth === 1 ? '最可能的词' : `列表中的第 ${nth} 个`}，${share}。`,
        goesOnBeyond: (there, count) => `文本接下来是“${there}”，不在最可能的 ${count} 个词里。`,
        press: {next: word => `在末尾写下 ${word}`, masked: word => `放上 ${word}`},
        temperature: '温度',
        temperatureHint: '低于 1：最可能的词占得更多；高于 1：各词更接近。',
        topK: 'Top-k',
        topKHint: '只从最可能的这么多个词里抽取；关着时也只取列表里的词。',
        off: '关',
        topP: 'Top-p',
        topPHint: '其中概率之和达到这个数的最少几个词。',
        shades: (nats, most) =>
            `颜色越深，这个词元越出乎模型意料：−ln p，到 ${nats} 为最深。不在前 ${most} 个词里的，按第 ${most} 个的 p 计。`,
        how: '每一步取',
        hows: {best: '最可能的词', random: '随机抽取的词'},
        go: count => `接着写 ${count} 个词元`,
        stop: '停止',
        back: '收回一个',
        clear: '全部删去',
        written: count => `模型写了 ${count} 个词元（带下划线）。`,
        parts: '若当作文字重新切分，会得到别的词元；链接保留这些词元。',
        ended: '模型在这里结束了文本。',
        full: most => `文本已满：这个模型最多读 ${most} 个词元。`,
        mask: piece => `遮住“${piece}”再问`,
        more: count => `全部 ${count} 个`,
        fewer: '少一些',
        all: '每个位置',
        allHint: {
            next: '每个词元之后最可能的词元。最后一列：实际出现的下一个词元的概率。',
            masked: '每个位置最可能的词，该词元可见。最后一列：该词元自身的概率。',
        },
        columns: {
            token: '词元',
            best: '预测',
            chance: '概率',
            there: {next: '实际的下一个', masked: '词元自身'},
            nth: n => (n === 1 ? '最可能' : `第 ${n}`),
        },
        lens: {
            title: '逐层看',
            hint: '此位置的 logit lens：若模型在某一层之后就结束，它会说什么。这是原始读数：前面的层并没有为此训练过。',
            settled: ({word, layer, share, end, before}) =>
                (end
                    ? `“${word}”从第 ${layer} 层之后起一直是最可能的词：这一层之后 ${share}，最后一层之后 ${end}。`
                    : `“${word}”${before < 0 ? '只' : ''}在最后一层之后是最可能的词：${share}。`) +
                (before < 0 ? '' : `第 ${before} 层之后也曾是，但后来没有一直保持。`),
            columns: {
                first: '最可能',
                chance: '概率',
                rank: word => `${word} 的名次`,
                share: word => `P(${word})`,
                final: '最终词',
                rankOf: '最终词的名次',
                shareOf: 'P(最终词)',
            },
            where: '显示',
            wheres: {one: '此位置', all: '每个位置'},
            map: '最终词的名次：纵向是层，横向是位置',
            keys: '每一层之后最终词的名次；用方向键选单元格',
            ink: '颜色最深：最后一层的词此时已排第一；每大十倍淡四分之一，名次从一万起没有颜色。同上，是原始读数。',
            caption: '每个位置的 logit lens：每一层之后最可能的词，以及最后一层的词的名次。',
            captionAt: (position, piece) =>
                `第 ${position} 位（${piece}）的 logit lens：每一层之后最可能的词。`,
        },
        caption: '每个位置最可能的词，以及模型自己的概率。',
    },
    find: {
        moved: '这里的数是每个头传递量的占比；地图和相近的头仍按权重。',
        pictured: '头的排名和地图',
        howTo: [
            '先点在看的词元（查询），再点被看的词元（键）：所有注意力头会按前者给后者的权重排名。点一行就打开那个头。',
            '也可以点一种模式，例如“上一个词元”：所有注意力头会按整段文本中有多少注意力落在那里排名。',
            '地图上每个点是一个注意力头，在这段文本上注意力分布相近的头离得近。坐标轴没有含义，只看远近。',
        ],
        text: '逐个词元的文本',
        pick: '要问另一对词元，先点在看的词元，再点被看的词元。',
        example: '这是一个例子。要问自己选的一对，先点在看的词元，再点被看的词元。',
        question: '哪些头这样看？',
        pickKey: '再点键，也就是被看的词元。',
        waiting: '选好键之后，这里列出各个头的排名。',
        looksAt: '看',
        orPattern: '或按模式查找',
        patternAsked: goal => `每个词元都看${goal}`,
        patternQuestion: goal => `哪些头看${goal}？`,
        goals: {
            next: '下一个词元',
            previous: '上一个词元',
            self: '自己',
            cls: ' [CLS]',
            sep: ' [SEP]',
            same_word: '别处相同的词',
            other_sentence: '另一个句子',
        },
        ifAlike: ({even, tokens, most}) =>
            `若平均分给${tokens ? `全部 ${tokens} 个词元` : '看得到的全部词元'}，则为 ${even}` +
            (most && `；有一个词元没有这样的对象，所以最多 ${most}`),
        clearly: ({layer, head, weight, even}) =>
            `${headName(layer, head)} 就是这样：它在这段文本上的注意力有 ${weight} 落在那里（${even}）。`,
        partly: ({layer, head, weight, even}) =>
            `${headName(layer, head)} 部分如此：它在这段文本上的注意力有 ${weight} 落在那里（${even}）。`,
        none: ({layer, head, weight, even}) =>
            `在这段文本上没有哪个头这样做；最接近的是 ${headName(layer, head)}，有 ${weight} 的注意力落在那里（${even}）。`,
        taken: ({piece, count, heads, much}) =>
            `在这个模型里，占据这个位置的是 ${piece}：${heads} 个头中有 ${count} 个给它的注意力超过平均值的 ${much} 倍。`,
        elsewhere: (model, layer, head, share) =>
            `菜单中另一个模型有这样的头：${model}，${headName(layer, head)}，在“六种模式”一课的文本上为 ${share}。`,
        openModel: '加载该模型',
        matters: (layer, head, heads) =>
            `${headName(layer, head)} 是 ${heads} 个头中的一个：它重要吗？`,
        off: '关掉它',
        overCorpus: '在许多句子上也是这样吗？',
        noneHere: '这段文本里没有这种情形。',
        swap: '交换方向',
        ranked: '最符合的头',
        even: ({even, tokens, pairs}) =>
            `刻度线：${even}，即把注意力平均分给${tokens ? `全部 ${tokens} 个词元（包括特殊词元）` : '看得到的全部词元'}时的数值` +
            (pairs ? `（${tokens} × ${tokens} 对词元中有 ${pairs} 对符合）` : '') +
            '。× 后的数字：是它的几倍。',
        headName,
        chosenRow: (layer, head) => `${headName(layer, head)}（当前）`,
        open: (layer, head) => `在注意力头视图中打开 ${headName(layer, head)}`,
        choose: (layer, head) => `查看与 ${headName(layer, head)} 相近的头`,
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
        pointName: (layer, head, pattern) => `${headName(layer, head)}：${pattern}`,
        fit: (share, stress) =>
            `二维平面只能表现头与头之间 ${share} 的差异（应力 ${stress}，0 为完全准确）；坐标轴没有含义，只看远近。`,
        alike: (layer, head) => `与 ${headName(layer, head)} 相近的头`,
        chosenIs: {
            clearly: (pattern, share) => `它在这段文本上的模式：${pattern}（${share}）。`,
            partly: (pattern, share) => `它在这段文本上的模式（部分）：${pattern}（${share}）。`,
        },
        chosenNone: '它在这段文本上没有这些模式。',
        openIt: '在注意力头视图中打开',
        divergence:
            '与所选头的 Jensen-Shannon 散度，对全部查询取平均：0 表示相同，最大为 ln 2 = 0.693。',
        rank: '名次',
        times: '均匀的倍数',
        divergenceColumn: '散度',
        pattern: '模式',
        tableCaption: (layer, head) =>
            `全部注意力头，按查询给键的权重排列，并列出与 ${headName(layer, head)} 的散度和地图上的位置。`,
        patternTable: asked => (layer, head) =>
            `${asked}：全部注意力头按这部分注意力的占比排列，并列出与 ${headName(layer, head)} 的散度和地图上的位置。`,
        describe: ({query, key, layer, head, weight}) =>
            `${query} 看 ${key}，权重最大的是 ${headName(layer, head)}：${weight}。`,
    },
    /** where weight and what is moved differ */
    differ: {
        says: '传递量：每个键送出的向量 a·v·W_O 的长度，占该查询总和的比例。',
        differ: (piece, weight, moved) => `${piece} 得到 ${weight} 的权重，占传递量的 ${moved}。`,
        alike: least => `这里每个词元的占比与权重相差都不超过 ${least}。`,
    },
    heatmap: {
        layerMaps: {
            together: {label: '各头合计传递量', title: '该层各头合计传递的量'},
            through: {label: '计入残差与归一化', title: '再计入词元自身的残差流与 LayerNorm'},
            zeroing: {label: '值置零', title: '把某个词元的值置零后，该层输出转过多少'},
        },
        pictured: '这个头的热图',
        howTo: [
            '每一行是一个查询，每一列是一个键：单元格的颜色越浓，该行的词元对该列的词元的注意力越多。每行之和为 1。',
            '指向或点一个单元格，或用 Tab 键和方向键，即可读出它的权重。',
        ],
        title: (layer, head) => `${headName(layer, head)} 的注意力：纵向为查询，横向为键`,
        every: n => `空间有限，每 ${n} 个词元只标出一个。`,
        keys: '一个头的注意力；用方向键选择单元格',
        hidden: '从那里看不到',
        hatched: '斜线部分：该查询看不到的键。',
        ink: most => `颜色最深处为 ${most}，深浅与权重的平方根成正比，因此很小的权重也能看见。`,
        inkLog: (most, least) =>
            `颜色最深处为 ${most}，深浅随数值的对数变化，不超过 ${least} 的没有颜色。`,
        log: '按对数着色，便于看清小权重',
        tableCaption: (layer, head) =>
            `${headName(layer, head)} 的注意力：每行一个查询，每列一个键`,
        describe: ({layer, head, tokens, query, key, weight}) =>
            `${headName(layer, head)} 的热图，共 ${tokens} 个词元。最大的权重为 ${weight}，从 ${query} 到 ${key}。`,
        maps: {together: '各头合计传递量', through: '计入残差与归一化的传递量', zeroing: '值置零'},
        saysOf: {
            together: '该层所有头合起来送出的向量的长度 ‖Σ a·v·W_O‖。各头之间可能互相抵消。',
            through:
                '再计入词元自身的残差流与 LayerNorm。混合比：本层中两个长度之比，其他词元送来的，比上它与词元自身部分之和；两者可能部分抵消。',
            zeroing:
                '值置零：把一个键的值在所有头中置零后，该层对每个查询的输出转过多少，按行归一化。',
        },
        mixed: (piece, ratio) => `${piece} 在本层的混合比 ${ratio}`,
        mixedColumn: '混合比',
        titleOf: name => `${name}：纵向为查询，横向为键`,
        inkOf: most => `颜色最深处为 ${most}，深浅与数值的平方根成正比。`,
        tableCaptionOf: name => `${name}：每行一个查询，每列一个键`,
        describeOf: ({name, tokens, query, key, weight}) =>
            `${name}的热图，共 ${tokens} 个词元。最大的数为 ${weight}，从 ${query} 到 ${key}。`,
    },
    decides: {
        pictured: '各张列表和全部头',
        howTo: [
            '这个预测靠的是什么？模型每次只改一处再运行：遮住（或去掉）一个词元、关掉一个头、关掉一个 MLP。每个数是 ln p 的精确变化。',
            '橙色，小于 0：没有它，预测的概率更低。蓝色，大于 0：没有它，概率更高。−0.69 表示 p 减半。',
            '各部分可以互相顶替，所以这些数不能相加；一段文本也说明不了其他文本。',
        ],
        none: '这里没有可解释的预测。请在文本里放上 [MASK]，或选一个预测下一个词、标签或答案的模型，或选一个给出文本嵌入的模型并输入两个句子。',
        hide: piece => `遮住“${piece}”`,
        writes: '或者看下一个词：',
        word: (word, position, piece, p, ln) =>
            `第 ${position} 位（${piece}）的“${word}”：${p}，ln p = ${ln}。`,
        label: (best, p, other) =>
            `标签“${best}”（${p}），对比“${other}”：各数是 ln p(${best}) − ln p(${other}) 的变化。`,
        start: (piece, position, p, ln) =>
            `答案从“${piece}”（${position}）开始：${p}，ln p = ${ln}。`,
        similar: (kind, value) =>
            `句子 A 与句子 B 的相似度（${{cosine: '余弦', dot: '点积', euclidean: '欧氏距离的负值', manhattan: '曼哈顿距离的负值'}[kind]}）：${value}。`,
        similarHint:
            '没有它时相似度的变化，最大的在前。橙色（小于 0）：两个句子变得不那么相似；蓝色（大于 0）：更相似。头和 MLP 在两个句子里都关掉。',
        similarColumns: ['种类', '遮住、去掉或关掉的', '相似度的变化'],
        ofText: (name, text) => `${text} 中的 ${name}`,
        ways: {label: '每个词元', masked: '遮住：位置不变', removed: '去掉：后面的词元前移'},
        by: {label: '关掉头和 MLP 的方式', zero: '置零', mean: '换成其他词元的平均'},
        together: {
            label: '同时关掉几个头',
            hint: '选两个或更多：它们一起带来的变化，与各自变化之和相对照。',
            say: (names, change, sum) => `同时关掉 ${names}：${change}；各自变化之和：${sum}。`,
        },
        wrote: {
            press: '由什么写成',
            hint: '直接 logit 归因。横条与最后一个数：该部分向 logit 写入的量（与另一个词或标签相比时，是向两者之差写入的量；否则减去同一 softmax 中全部的平均）；各归一化的 σ 与输出头的斜率保持不变。前一个数：关掉该部分后 ln p（或两者之差）的变化，精确，包含后面各层的作用。支持该词的部分一旦关掉，ln p 就会下降：两者一致时，符号相反。',
            none: '还没有。若与另一个词相比，请选列出的词之一。',
        },
        parts: {
            word: '词嵌入',
            position: '位置嵌入',
            segment: '句段嵌入',
            biases: '偏置',
            output: '输出头的偏置',
            rest: '输出头的其余部分',
            others: '其余全部',
            sum: '总和',
        },
        ofToken: (label, piece, position, ln) =>
            `“${piece}”（${position}）是“${label}”：ln p = ${ln}。`,
        chooseToken: '解释另一个词元',
        most: (name, value) => `影响最大的是 ${name}：没有它时，${value}。`,
        mostOfHeads: (name, value) => `各个头中是 ${name}：${value}。`,
        choose: '解释另一个词',
        less: '与这个词相比',
        lessNone: '无',
        contrast: (word, against, position, piece, ln) =>
            `位置 ${position}（${piece}）的“${word}”与“${against}”相比：ln p(${word}) − ln p(${against}) = ${ln}。`,
        contrastHint: (word, against) =>
            `没有它时 ln p(${word}) − ln p(${against}) 的变化，最大的在前。橙色（小于 0）：更偏向“${against}”；蓝色（大于 0）：更偏向“${word}”。`,
        chooseStart: '解释另一个起点',
        coming: '已运行的次数',
        hint: '没有它时 ln p 的变化，最大的在前。橙色（小于 0）：预测的概率变低；蓝色（大于 0）：变高。',
        then: '百分数：那时预测的概率。',
        lists: {
            wrote: '没有各部分时的变化，以及它写入 logit 的量',
            token: '逐个遮住词元',
            removed: '逐个去掉词元',
            head: '逐个关掉头',
            mlp: '逐个关掉 MLP',
        },
        kinds: {
            token: '词元',
            removed: '去掉的词元',
            head: '头',
            mlp: 'MLP',
            patch_token: '行',
            patch_head: '头',
        },
        token: (position, piece) => `${piece} (${position})`,
        grid: '全部头',
        gridHint: (most, [first, last]) =>
            `一行一层，一格一个头，从 ${first} 到 ${last}，右边是该层的 MLP。满色：${most} 或 −${most}。`,
        beside: '看、移动、置零、决定',
        masked: '词元',
        readings: {weight: '看', moved: '移动', zeroed: '置零', decided: '决定'},
        agrees: (id, value) =>
            `${{weight: '注意力权重', moved: '注意力移动的量', zeroed: '值置零', rollout: 'rollout', nearness: '距离远近（对照）'}[id]} ${value}`,
        besideHint: (count, said) =>
            `从这个位置出发的注意力（全部头的平均）、它移动的量、值置零（各层平均），以及遮住该词元时变化的大小；每列以最大者为 1。与“决定”的等级相关（${count} 个词元）：${said.join('，')}。一个句子说明不了什么；命令“headlight agree”给出许多文本上的平均。`,
        columns: ['种类', '遮住、去掉或关掉的', 'ln p 的变化'],
        patch: {
            ask: '或者从另一段文本修补',
            example: 'The capital of Italy is [MASK].',
            hint: '修补（patching）：某一部分取自另一段文本，其上的一切重新计算。1：预测变得与另一段文本相同；0：没有变化；负数：离它更远。各份额不能相加。',
            waits: '正在计算：先运行另一段文本……',
            none: '另一段文本没有预测。请在其中也放上 [MASK]。',
            same: '两者在这一点上相差不到 0.1，其份额说明不了什么：请选差别更大的文本。',
            contrast: (a, b) => `“${a}”的 ln p 减去“${b}”的`,
            one: a => `“${a}”的 ln p`,
            values: (what, onto, of) => `${what}：这里 ${onto}，另一段文本 ${of}。`,
            kept: (name, share) => `仍带来一半差距的最后一个词元向量：${name}，${share}。`,
            most: (name, share) => `各词元向量中带来最多的是 ${name}：差距的 ${share}。`,
            byHead: (name, share) => `各个头中带来最多的是 ${name}：${share}。`,
            away: (name, share) => `使它离得最远的是 ${name}：${share}。`,
            swap: (other, own) => `${other} 换下 ${own}`,
            unchanged: (count, all) =>
                `${all} 处修补中有 ${count} 处没有变化：两段文本在那里相同，或者预测不读取那里。`,
            other: (onto, of) => `两段文本有 ${onto} 个和 ${of} 个词元，因此各取一个词元相对。`,
            to: '本文本中的',
            from: '取自',
            row: (layer, token) => `${token}，第 ${layer} 层之前`,
            list: '恢复的份额',
            rows: '各层的词元',
            rowsHint: (first, last) =>
                `一行一个词元，一格一层（${first} 到 ${last}）：该层所见的词元向量。满蓝：1；满橙：−1。`,
            rowTitles: ['词元', '层'],
            heads: '头',
            headsHint: '一行一层，一格一个头：它在被修补的词元上的输出。',
            columns: ['种类', '取自另一段文本', '恢复的份额', 'ln p 的变化'],
        },
    },
    why: {
        pictured: '两张列表和各个头',
        howTo: [
            '一条连线的得分，按照在本层之前写入这两个词元向量的各部分拆开。与该查询能看到的各个键的平均相比，即“对比值”：权重 ÷ 该行几何平均的自然对数。',
            '同一个数有两种拆法：按写在键上的内容，或按写在查询上的内容。每张表各自加起来等于对比值，两张表不要相加。',
            '各个归一化的除数（σ）保持原值。“由……写入”不等于“因为……”：要知道某个头的实际作用，把它关掉看看。',
        ],
        from: '从（查询）',
        to: '到（键）',
        back: '注意力头视图',
        waits: '正在计算：需要加载带全部度量的引擎，并再加载一次模型……',
        hidden: (query, key) =>
            `在这一层，词元 ${query} 看不到词元 ${key}（掩码），没有可拆的得分。请另选一对。`,
        link: ({name, from, to, weight, times}) =>
            `${name} 从“${from}”看向“${to}”，权重 ${weight}：是该行一个典型键的 ${times} 倍。` +
            '下面两张表把它的对数（对比值）拆给模型在这两个词元处写入的各部分。',
        most: '一千多',
        only: (name, from, to) =>
            `“${from}”能看到的键只有“${to}”，所以 ${name} 把全部权重给了它：没有可比的。`,
        query: from => `这个查询“${from}”`,
        placed: '这个查询的位置，多于它的词',
        decided: {
            key: ({to, contrast, alone}) =>
                `不论查询是什么，“${to}”都吸引这个头：对比值 ${contrast} 中，这段文本的平均查询占 ${alone}。`,
            query: ({query, contrast, alone}) =>
                `取决于${query}：对比值 ${contrast} 中，这段文本的平均查询只占 ${alone}。`,
            both: ({query, to, contrast, alone}) =>
                `一部分来自“${to}”本身，一部分来自${query}：对比值 ${contrast} 中，这段文本的平均查询占 ${alone}。`,
            weak: ({to, contrast}) => `“${to}”得到的比典型键少：对比值为 ${contrast}。`,
            typical: ({to, contrast}) => `“${to}”得到的和典型键差不多：对比值为 ${contrast}。`,
        },
        rounded: value =>
            `int8 运算使其中 ${value} 无法解释（计入“其余”）；用“精细”或 float32 会更少。`,
        changed: (before, now) => `加上你的改动后权重为 ${now}，改动前为 ${before}（精确值）。`,
        sides: {key: piece => `写在键“${piece}”上的`, query: piece => `写在查询“${piece}”上的`},
        parts: {
            word: '词本身',
            itself: '词元自身（词与第一个 MLP）',
            position: '位置与句段',
            biases: '全部偏置',
            rest: '其余',
        },
        mlp: layer => `第 ${layer} 层的 MLP`,
        brought: (at, piece) => `各头从 ${at} “${piece}”带来的`,
        sum: '对比值',
        heads: '由各头写入的',
        headsHint:
            '之前各层的每个头写在键上和查询上的内容，作为对比值的一部分；以及只去掉这一处、其他头和 MLP 都保持不变时的权重（精确值）。关掉一个头，则处处都没有它。',
        headColumns: ['头', '键一侧', '查询一侧', '去掉后的权重：键 · 查询', '整个头'],
        cut: ({part, side, piece, weight}) =>
            `只去掉${part}写在${side === 'key' ? '键' : '查询'}“${piece}”上的内容，其余保持不变，权重会是 ${weight}（精确值）：没有别的头或 MLP 在其中一侧影响更大。`,
        off: '关掉',
        on: '打开',
        table: {
            caption: (head, from, to) =>
                `${head}，“${from}”到“${to}”：对比值由什么写成，按键一侧和查询一侧。每列各自加起来等于它。`,
            columns: ['部分', '键一侧', '查询一侧', '去掉后的权重（键）', '去掉后的权重（查询）'],
            rows: ['词', '位置', '句段', '偏置', '相对位置', '舍入'],
        },
    },
    change: {
        pictured: '全部头，以及所选头的差值图',
        howTo: [
            '点一个词元，可以把它遮住或换成别的词；也可以在下面关掉一些注意力头。模型会在改动前后各算一遍。',
            '每个小图是一个注意力头：纵向是查询，横向是键。蓝色表示注意力比原来多，橙色表示少。数字是转移了的注意力所占的比例，对全部查询取平均。',
            '关掉某一层的头，只会影响后面各层的注意力。',
        ],
        text: '逐个词元的文本',
        pick: '点一个词元，把它遮住或替换。',
        pickOnly: '点一个词元来替换。这个模型没有 [MASK]。',
        begun: (word, chosen) =>
            (chosen
                ? `一开始，先遮住你选中的词元：${word}。`
                : `一开始，Headlight 先遮住了一个词：${word}。`) + '点别的词，就改为遮住那个词。',
        against:
            '一开始，先把 B 与 A 对照：B 的词放在 A 的对应位置上，所以每处变化都是从 A 到 B 的变化。点“撤销全部改动”可以还原。',
        uneven: ([a, b]) =>
            `A 有 ${a} 个词元，B 有 ${b} 个：只有词元数相同、且至多 64 个词元不同的两段文本，才能比较注意力。`,
        most: '哪个头的注意力差别最大？',
        at: position => `第 ${position} 位`,
        mask: '遮住',
        putBack: '恢复原词',
        otherWord: '换成别的词',
        putIn: '换上',
        oneWord: '只能填一个词，中间不能有空格。',
        offers: '这里的预测：',
        refused: (word, pieces) =>
            pieces.length > 1
                ? `“${word}”在这个词表里会被切成 ${pieces.length} 个词元（${pieces.join(' ')}）；只有单个词元的词才能替换，所以这里没有改动。`
                : `这个模型的词表里没有“${word}”，所以这里没有改动。`,
        nothing: '还没有改动：前后完全相同。',
        changed: ({words, off, zeroed, swapped, without}) =>
            `改动：${
                [
                    [words, '个词元被替换'],
                    [off, '个头被关掉'],
                    [zeroed, '个神经元被置零'],
                ]
                    .filter(([count]) => count)
                    .map(([count, what]) => `${count} ${what}`)
                    .concat(swapped ? '两个位置互换' : [])
                    .concat(without === 'positions' ? '去掉位置嵌入' : [])
                    .concat(without === 'types' ? '去掉句段嵌入' : [])
                    .join('，') || '都不在这段文本之内'
            }。`,
        reset: '撤销全部改动',
        grid: '每个注意力头的变化',
        press: '点击一个头',
        presses: {show: '放大查看', off: '关掉或打开'},
        cell: (layer, head, moved, off) =>
            `${headName(layer, head)}：${moved} 的注意力发生了转移${off ? '；已关掉' : ''}`,
        gridHint: most =>
            '自上而下是各层，从左到右是各个头。每个头下方的数字：转移了的注意力占多少。' +
            (most ? '蓝色：注意力变多；橙色：变少；颜色越深，变化越大（按平方根）。' : ''),
        gridEmpty:
            '还没有改动。遮住或替换一个词元、关掉一个头，或写一个词元数相同的句子 B，每个方格就会显示那个头的注意力转移到了哪里。',
        gridScale: '小图的颜色：',
        mapScale: '这张图的颜色：',
        mapTitle: (layer, head) => `${headName(layer, head)}：改动后减改动前`,
        isOff: '（已关掉）',
        mapKeys: '差值图，纵向是查询，横向是键：用方向键逐格移动。',
        mapHint: most =>
            `纵向是查询，横向是键。蓝色：注意力变多；橙色：变少。颜色最深处为 ${most}，即这个头的最大变化；深浅与变化的平方根成正比。`,
        mapSame: '这个头的注意力与原来相同。',
        to: '看',
        predictions: '模型的预测',
        noPredictions: '有句子 B、有 [MASK]，或有词元被替换时，这里会列出改动前后的预测。',
        noOutput: '这个模型没有用于词、标签或答案的输出层，因此不作任何预测。',
        says: {
            labels: '文本的标签',
            token_labels: '词元的标签（变化最大的）',
            answer: '答案',
            replaced: '词元被替换过的概率（变化最大的）',
        },
        nextAfter: (position, piece) => `第 ${position} 位（${piece}）之后的下一个词元`,
        before: '改动前',
        after: '改动后',
        points: '百分点',
        wordsAt: (position, piece) => `第 ${position} 位（${piece}）最可能的词`,
        moved: '转移比例',
        difference: '差值',
        nthKey: n => ['变化最大的键', '第二', '第三'][n - 1],
        tableCaption: (layer, head) =>
            `${headName(layer, head)}：每个查询转移了的注意力比例，以及权重变化最大的几个键。`,
        describe: (layer, head, moved) =>
            `变化最大的是 ${headName(layer, head)}：${moved} 的注意力发生了转移。`,
        where: ([query, key], difference) =>
            `其中变化最大的一处：${query} 看 ${key}，${difference}。`,
    },
};
