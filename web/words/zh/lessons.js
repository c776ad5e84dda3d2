/* lessons - 示例、课程与文章插图周围的中文。课程正文（各种语言）在 lessons/ 里各自的文件中。
 */

const ROLES = /** @type {Record<string, string>} */ ({
    local: '局部',
    delimiter: '分隔符',
    cls: '[CLS]',
    sep: '[SEP]',
    block: '自己的句子',
    next: '下一个词元',
});

/** @type {typeof import('../en/lessons.js').lessons} */
export const lessons = {
    offers: {
        examples: '示例',
        lessons: '课程',
        articles: '文章里的图',
        history: '之前输入的文本',
        forget: '清空这个列表',
        clearB: '去掉句子 B',
        swap: '交换 A 和 B',
        minutes: minutes => `${minutes} 分钟`,
        left: (step, count) => `从第 ${step} 步继续，共 ${count} 步`,
        finished: '✓ 已完成',
        /** @param {string} model */
        asPublished: model => `原模型：${model}`,
    },
    player: {
        steps: '课程的各步',
        place: (step, count) => `第 ${step} 步，共 ${count} 步`,
        back: '上一步',
        next: '下一步',
        close: '结束课程',
        scroll: '滚动阅读全部步骤',
        keys: '在这个面板里，左右方向键翻页，Esc 结束课程。',
        kept: '课程结束后，会恢复你原来的文本和注意力头。',
        waiting: '计算中…',
        comes: step => `它的数值在第 ${step} 步得出。`,
        equation: '公式；指向一个符号，图中对应的部分会亮起',
        nextLesson: title => `下一课：${title}`,
        score: (right, asked) => `${asked} 个问题中，你猜对了 ${right} 个。`,
        right: (best, most) => ['对了：权重最大的是 ', best, `，${most}。`],
        wrong: (picked, weight, best, most) => [
            picked,
            ` 得到 ${weight}。权重最大的是 `,
            best,
            `：${most}。`,
        ],
        seen: (kind, from, to, neurons, role) =>
            ({
                weight: [from, ' → ', to],
                link: [from, ' → ', to],
                score: [from, ' 的 q · ', to, ' 的 k'],
                scaled: [from, ' 的 q · ', to, ' 的 k，除以 √d'],
                measure: [`：这个头给“${role}”的注意力`],
                upper: [`：上半各层比下半各层多给 ${role} 的注意力`],
                share: ['的注意力给了 ', to],
                own: ['的注意力留在词元自己的句子里'],
                next: ['：给下一个词元的平均权重'],
                fill: ['：预测为 ', to, ' 的概率'],
                neurons: [`的词元由神经元 ${neurons.join('、')} 决定`],
                sieve: [`倍于均匀注意力（筛子“${role}”）`],
            })[kind] ?? [],
        unlike: bound => `（用课程自己的文本时为 ${bound}）`,
        roles: ROLES,
    },
    worksheet: {
        label: '把你的回答存成练习单：',
        columns: [
            ...['步骤', '句子', '注意力头', '问题', '回答', '回答的权重'],
            ...['权重最大的词元', '它的权重', '答对'],
        ],
        name: '姓名',
        handIn: '要交的文件',
        date: '日期',
        /** @param {number} right @param {number} all */
        score: (right, all) => `${all} 题答对 ${right} 题`,
        yes: '是',
        no: '否',
        open: '未作答',
    },
    published: {
        /** @param {number} kB */
        open: kB => `看它的图（${kB} kB）`,
        back: '回到本页的模型',
        shown: '现在图中是已发布模型的注意力。',
        failed: '文件没有取到，请再试一次。',
    },
    pattern: {
        looking: '正在寻找这样的注意力头…',
        failed: '这一步在这里无法测量。',
        sentences: '换用课程的例句',
        showHead: '显示这个头',
        neuron: '它是怎么做到的？（神经元视图）',
        corpus: '在许多句子上也是这样吗？（语料库）',
        both: '全部词元与单个词元并排',
        absent: {
            next: '只有一个词元，没有“下一个”。',
            previous: '只有一个词元，没有“上一个”。',
            copies: '这段文本里没有重复出现的词，无法测量这种模式。',
            across: '需要两个含有相同词的句子。',
            partner: '这段文本里没有被拆成几个词元的词，无法测量这种模式。',
            delimiter: '这段文本里既没有 [SEP]，也没有 [CLS]。',
            own: '需要两个句子：只有一句时，这与均匀注意力没有区别。',
        },
        verdict: (verdict, head) =>
            ({
                clearly: `${head} 明显地表现出这种模式。`,
                partly: `${head} 在一定程度上表现出这种模式，强于其他各头。`,
                none: `在这段文本上，这个模型没有这样的头。${head} 最接近，但未达到标准。`,
            })[verdict],
        measured: kind => (kind === 'share' ? '占注意力的比例' : '吻合程度'),
        thisHead: '这个头',
        even: '均匀注意力',
        mark: '标准',
        times: factor => `是均匀注意力的 ${factor} 倍。`,
        delimiters: (sep, cls) => `其中 [SEP] 占 ${sep}，[CLS] 占 ${cls}。`,
        strongest: '例如：',
        looksAt: '看',
        rule: '标准定在从均匀注意力到纯粹模式的 30 % 处；达到 60 % 就算明显。',
    },
    toy: {
        title: '用手算一遍：两个词，4 × 3',
        says: '两个词是 Thinking 和 Machines，各用四个数表示。一行与一列对应相乘再相加，就是乘积里的一个数；√3 是 1.73；softmax：对每个数取 e 的幂，再除以这一行的和。',
    },
    sieves: {
        role: '角色',
        roles: ROLES,
        waiting: '计算中…',
        says: ({head, token, keys, all, share, even, score, block}) =>
            `${token}：加框的 ${keys} 个词元（共 ${all} 个）在 ${head} 中得到它 ${share} % 的注意力；` +
            `均匀注意力会给 ${even} %。得分：均匀注意力的 ${score}${block ? '，再乘以这一行的均匀程度' : ''}。`,
    },
};
