/* more.zh - 首次用到时才载入的部分的中文：导览、自带注意力的说明、导出时的提示。
 * 键与 text/more_en.js 一一对应，有测试比对。 */

const NAMES = {encoder: '编码器', decoder: '解码器', cross: '交叉注意力'};

/** @type {typeof import('./more_en.js').moreEn} */
export const moreZh = {
    tour: {
        title: '导览',
        place: (step, count) => `第 ${step} 步，共 ${count} 步`,
        back: '上一步',
        next: '下一步',
        close: '结束导览',
        keys: '在这个面板里，左右方向键翻页，Esc 结束导览。',
        looking: '正在寻找这样的注意力头…',
        failed: '这里得不到这一步所需的度量。',
        sentences: '换用导览的例句',
        showHead: '显示这个头',
        steps: {
            next: {
                title: '看下一个词',
                about: '每个词元几乎把全部注意力放在右边的邻居上，相当于逐词读出语序。最后一个词元右边没有词，看看它转而去看哪里。',
                absent: '只有一个词元，没有“下一个”。',
            },
            previous: {
                title: '看前一个词',
                about: '与上一种互为镜像：看左边的邻居。这类头往往不那么干脆，余下的注意力落在 [SEP] 或 [CLS] 上。',
                absent: '只有一个词元，没有“前一个”。',
            },
            copies: {
                title: '看相同的词',
                about:
                    '一个词看它自己，也看它在别处的重复。这里度量的是：每一行与“把注意力平分给该词的所有出现之处”有多吻合。' +
                    '词义是否相关无法这样度量，请看图中的连线自行判断。',
                absent: '这段文本里没有重复出现的词，无法度量。',
            },
            across: {
                title: '看另一句里相同的词',
                about: '一个词隔着 [SEP] 去看另一句中的同一个词。两句话由此联系起来，预测下一句正需要这种联系。',
                absent: '需要两个句子，且有共同的词；当前文本没有。',
            },
            partner: {
                title: '看能猜出它的词',
                about:
                    '假如把某个词遮住，哪些词会泄露它？词元看的就是这些词。能够度量的是最直接的情形：同一个词拆成的几段' +
                    '（straw 与 ##berries）互相看，两个方向都算。其他情形，可在文本里放一个 [MASK]，看它在看哪里。',
                absent: '这段文本里没有被拆开的词，无法度量。',
            },
            delimiter: {
                title: '看分隔符',
                about: '大部分注意力停在 [SEP] 或 [CLS] 上。这两个词元本身没有多少含义；在文本里无事可做的头，就把注意力放在那里。',
                absent: '这段文本里既没有 [SEP]，也没有 [CLS]。',
            },
            own: {
                title: '看自己的句子：词袋',
                about:
                    '每个词元把注意力均匀地分给自己所在的句子，不看另一句。这个头相当于不管词序，对整句的词取平均。' +
                    '这里度量的正是与这种均匀分配的吻合程度。',
                absent: '需要两个句子：只有一句时，这与均匀地看所有词元没有区别。',
            },
        },
        verdict: (verdict, head) =>
            ({
                clearly: `${head}明显地表现出这种模式。`,
                partly: `${head}在一定程度上表现出这种模式，没有更强的头了。`,
                none: `在这段文本上，这个模型没有这样的头。${head}最接近，但没有达到标准。`,
            })[verdict],
        headName: (layer, head) => `第 ${layer} 层的注意力头 ${head} `,
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
    own: {
        title: '查看你自己模型的注意力',
        intro: '在 Python 里把任意模型的注意力存成一个 safetensors 文件，然后在这里打开，或拖放到页面的任何位置。文件只在你的设备上读取，不会上传。',
        choose: '选择文件…',
        close: '关闭',
        single: 'BERT、GPT 等只有一个堆栈的模型',
        pair: '编码器—解码器模型（T5、BART、Marian）：用下面几行替换最后两行',
        copy: '复制',
        copied: '已复制',
        copyFailed: '请选中这几行自行复制。',
        needs: '需要 transformers、torch 和 safetensors。设 attn_implementation="eager"，模型才会保留注意力。',
        rules:
            '张量：attention.<层> [头, 词元, 词元]、decoder.<层>、cross.<层> [头, 解码器词元, 编码器词元]，类型为 F32、F16 或 BF16。' +
            '元数据：tokens、decoder_tokens，以及可选的 sentences，均为 JSON 列表。',
        ignored: names =>
            `未读取：${names.slice(0, 5).join('、')}${names.length > 5 ? '……' : ''}。`,
        odd: ({name, count, head, row, sum}) =>
            `${name}：有 ${count} 行之和不是 1（第一处：注意力头 ${head}，第 ${row} 行，和为 ${sum.toFixed(3)}）。`,
        partName: part => NAMES[part],
    },
    saved: {
        done: name => `已存为 ${name}`,
        scaled: (name, scale) => `已存为 ${name}，放大 ${scale} 倍：浏览器画不了更大的图`,
        oneLayer: name => `已存为 ${name}，只含当前层；全部层放进一个页面会太大`,
        linkCopied: '已复制链接',
        copyFailed: '浏览器不允许页面复制，请从这里复制：',
        failed: why => `未能保存：${why}`,
        madeWith: '由 Headlight 生成',
        source: (model, text) => (text ? `模型：${model}。文本：${text}` : `文件：${model}`),
    },
};
