/* dialogs - 首次用到时才载入的部分的中文：图下方的提醒（词表外的词、换文本时去掉的改动、正在进行的
 * 实验）、微调模型的回答、模型来源、导入注意力的说明、保存时的提示、“分享”与“精度”对话框。
 */
import {headName} from '../../draw/head_name.js';

const NAMES = {encoder: '编码器', decoder: '解码器', cross: '交叉注意力'};

/** @type {typeof import('../en/dialogs.js').dialogs} */
export const dialogs = {
    update: {ready: '本页面的新版本已就绪。', reload: '重新加载'},
    fills: {title: '[MASK] 的预测', at: position => `第 ${position} 位的 [MASK]`},
    refusedModel:
        '网址里给出的模型是“#”，它不可能是模型的名称：应为菜单中某个模型的 id、Hugging Face hub 上的 org/name，或以 https:// 开头的地址。现在显示的是另一个模型；请在菜单中选择你要的模型。',
    said: {
        decides: '这个预测取决于哪些词元、注意力头和 MLP？',
        labels: '模型对这段文本的判断',
        token_labels: '模型对每个词元的判断',
        answer: '模型的回答',
        replaced: '哪些词元被替换过',
        textLabels: '各个标签及其概率：',
        numbers: '模型给出的数值（回归）：',
        originals: '每个词元下方是它被替换过的概率：',
        answers: 'B 中可能回答 A 的片段及其概率（起点与终点概率之积）：',
        noAnswer: '这段文本里没有可以作为答案的词元。',
        tokenLabels: '每个词元下方是它最可能的标签：',
        isReplaced: '被替换',
    },
    from: {
        hub: (name, commit) => `${name}，提交 ${commit}，来自 hub。`,
        copy: (name, commit) => `${name}，提交 ${commit}，来自此浏览器中的副本。`,
        disk: (name, files) => `${files}，来自你磁盘上的${name ? `文件夹 ${name}` : '文件'}。`,
        server: (name, files) => `${files}，来自 ${name}`,
        keeping: '正在此浏览器中保存副本。',
        kept: '副本已保存在此浏览器中，下次访问无需联网。',
    },
    long: {
        fit: '适合窗口高度',
        more: {above: count => `上方还有 ${count} 个`, below: count => `下方还有 ${count} 个`},
    },
    remarks: {
        showHint: '尚未显示：按回车显示，按 Esc 恢复。',
        askText: '请先输入文字，现在还没有可看的内容。',
        overCorpus: head => `${head ? `${head} ` : '各个头'}在许多句子上的表现`,
        /** @param {string} head @param {string} word */
        whereElse: (head, word) => `${head} 还在哪里${word ? `对“${word}”` : ''}这样看`,
        changes: {
            masked: '遮住的词元',
            replaced: '替换的词元',
            off: '关掉的头',
            zeroed: '置零的神经元',
            without: '去掉的嵌入',
            swapped: '互换的位置',
            heading: '标题',
            note: '说明',
            marks: '标出的连线',
        },
        shed: what => `这是新的文本，上一段的改动不再保留：${what.join('、')}。`,
        shedBack: '回到上一段文本',
        without: {
            positions: '正在做一项实验：模型不加位置嵌入，因此无从知道词的先后。',
            types: '正在做一项实验：模型不加句段嵌入，因此无从知道词属于哪一句。',
        },
        swapped: (a, b) =>
            `正在做一项实验：第 ${a} 位和第 ${b} 位互换了位置，模型把这两个词元当作在对方的位置上。`,
        end: '结束实验',
        changed: what => `模型带着你的改动运行：${what.join('、')}。`,
        undo: '撤销',
        unread: (count, characters) =>
            count === 1
                ? `模型的词表里没有 ${characters}：它在那里读到的是 [UNK]，与任何未知词都一样。`
                : `模型的词表里没有其中 ${count} 个词元（${characters}）：它读到的都是 [UNK]，无法区分。`,
        readable: '换一段它能读的文本',
        unseen: (unseen, example) =>
            `这个模型只学过很少的词，而且词与词要分开写，例如“${example}”。它从未见过 ${unseen}，由此得出的结果没有意义。`,
        gap: (gap, mask) => `对模型来说，${gap} 不是要填的空。要让它填空，请写 ${mask}。`,
        fill: mask => `在那里写上 ${mask}`,
        weak: ({id, masked, first, most}) =>
            `${id} 预测词语的能力较弱：被遮住的词元它能猜对 ${masked}%，默认模型 ${first} 能猜对 ${most}%。已发布的原模型没有预测词语的输出层，这一层是后来加的。`,
        missingTwo: '编码器—解码器模型还没有这个视图。请用注意力头视图、热图或模型视图。',
        missing: '这个视图不止需要注意力权重，而你的文件里只有权重。请用注意力头视图或模型视图。',
    },
    order: {
        title: '句子顺序预测',
        says: '模型给出的概率：A 与 B 是不是原来的先后顺序',
        names: ['A 在 B 之前', 'B 在 A 之前'],
    },
    similarity: {
        title: '句子相似度',
        ask: '这两个句子有多相似？当前模型答不了，句子模型可以：',
        says: {
            cosine: '模型分别单独读入 A 和 B，各池化成一个向量；两个向量的余弦值在 −1 到 1 之间，越大越相似：',
            dot: '模型分别单独读入 A 和 B，各池化成一个向量；两个向量的点积越大越相似（模型就是这样训练的）：',
            euclidean:
                '模型分别单独读入 A 和 B，各池化成一个向量；两个向量距离的负值不超过 0，越大越相似（模型就是这样训练的）：',
            manhattan:
                '模型分别单独读入 A 和 B，各池化成一个向量；各分量之差之和的负值不超过 0，越大越相似（模型就是这样训练的）：',
        },
        kinds: {
            cosine: '余弦相似度',
            dot: '点积',
            euclidean: '欧氏距离的负值',
            manhattan: '曼哈顿距离的负值',
        },
        coming: '计算中…',
        why: {
            ask: '为什么？逐词元查看',
            title: '每对词元为相似度贡献多少',
            says: '每个单元格：A 的一个词元（行）与 B 的一个词元（列）的贡献；所有单元格之和就是相似度。最大的在前：',
            large: '表格太大，这里不显示。',
            coming: '计算中…',
            files: '把各单元格存为文件（总和即相似度）：',
            every: n => `空间有限，每 ${n} 个词元标注一个。`,
            several: {
                open: '几段文本：两两比较',
                hint: most => `每行一段文本，最多 ${most} 段：`,
                go: '全部比较',
                few: '请至少输入两段文本，每行一段。',
                many: (most, now) => `最多 ${most} 段文本，这里有 ${now} 段。请去掉一些。`,
                coming: '计算中……',
                title: '各段文本两两之间的相似度',
                says: '点一个数，看它来自哪些词元对。',
                pair: (a, b, value) => `第 ${a} 段与第 ${b} 段：${value}。显示词元对`,
                axes: {down: '文本', across: '文本'},
                files: '把这些数存为文件：',
            },
        },
    },
    question: {
        host: '这个模型在另一个网站上。要从那里获取吗：',
        hostWhy:
            '那个网站会因此知道你来过，它发来的内容会显示在这里。是链接或标签指定了它，本页并不了解它。',
        hostYes: '从那里获取',
        size: size => `需要下载 ${size}：`,
        sizeWhy:
            '直接从 hub 或该网站下载到本页，不安装任何东西。来自 hub 的模型会以约四分之一的大小保存在此浏览器中，下次访问无需联网。',
        sizeYes: size => `下载 ${size}`,
        no: '不用了',
    },
    models: {
        title: '其他模型',
        name: 'Hugging Face hub 上的名称，或文件夹的地址',
        load: '载入',
        hint: 'org/name、org/name@版本、模型页面的地址，或以 https:// 开头、含 config.json 的文件夹。模型就在本页运行，不会发送任何内容。',
        refused:
            '这不是模型的名称。应为 org/name（如 google-bert/bert-base-uncased），或以 https:// 开头的地址。',
        known: '常用模型',
        knownHint: '大小为下载量的约数。超过 50 MB 时，页面会先询问。',
        kept: '保存在此浏览器中',
        keptSum: size => `共 ${size}。载入时无需联网。`,
        keptNone: '还没有：来自 hub 的模型载入后会保存在这里。',
        commit: '提交',
        delete: '删除',
        deleteName: name => `删除 ${name} 的副本`,
        deleted: name => `已删除 ${name} 的副本。`,
        disk: '来自你的磁盘',
        folder: '选择文件夹…',
        files: '选择文件…',
        diskHint:
            'config.json，tokenizer.json 或 vocab.txt，以及 model.safetensors 或它的各个分片。也可以把这些文件或整个文件夹拖放到页面上。不会上传任何内容。',
        close: '关闭',
    },
    two: {
        texts: {textA: '源文本', textB: '目标文本', textBNone: '留空则由模型写出'},
        of: part =>
            ({
                encoder: '源文本的词元互相看。',
                decoder: '目标文本的词元看自己和前面的词元。',
                cross: '目标文本的词元看源文本。',
            })[part] ?? '',
        written: '这段目标文本由模型写出，每次取最可能的词元。',
        keep: '保留为目标文本',
        given: '这段目标文本是给定的。',
        write: '让模型写出',
        rows: '每一行读入什么、预测什么',
        shift: '解码器先读入起始词元，再读目标文本；所以第 t 行读入词元 t − 1，预测词元 t。该行的权重导向它所预测的词元，写在旁边。',
    },
    imported: {
        more: '更多',
        part: '哪一种注意力',
        point: '指向一个词元，就只显示它的连线，数值列在这里。点击固定，Shift+点击再加一个。键盘：方向键、回车、Shift+回车、Esc。',
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
        others: '也能读取：本页保存的 .json、.csv 和 .npy；BertViz 与 dodrio 的 JSON；以及任何 [层, 头, 词元, 词元] 的 .npy 或 JSON 数组（可带大小为 1 的批次维）。',
        numbered:
            '文件中没有词元，此处以位置编号代替。JSON 可以两者都带：{"tokens": […], "attention": […]}。',
        ignored: names =>
            `未读取：${names.slice(0, 5).join('、')}${names.length > 5 ? '……' : ''}。`,
        odd: ({name, count, head, row, sum}) =>
            `${name}：有 ${count} 行之和不是 1（第一处：注意力头 ${head}，第 ${row} 行，和为 ${sum.toFixed(3)}）。`,
        partName: part => NAMES[part],
    },
    beside: {
        label: '并排',
        short: '对比',
        hint: '在旁边再放一幅图。在一幅图中指向或固定的词元，另一幅也会标出。',
        kinds: {
            head: '另一个注意力头',
            token: '全部词元与单个词元',
            text: '另一段文本',
            view: '同一个头的神经元视图',
        },
        patternView: '同一个头的连线（注意力头视图）',
        with: '另一个模型',
        none: '无',
        other: '其他模型…',
        end: '只看一幅图',
        head: '头',
        text: 'b 的文本',
        textB: 'b 的第二句',
        show: '显示',
        all: '全部词元',
        of: (side, pieces) => (side === 'query' ? `从 ${pieces} 出发` : `指向 ${pieces}`),
        pick: '点一个词元',
        masked: pieces => `${pieces} 换成 [MASK]`,
        replaced: pieces => `${pieces} 换成别的词`,
        swapped: pieces => `${pieces} 互换位置`,
        typed: '原文',
        without: {positions: '不用位置嵌入', types: '不用句段嵌入', '': '用全部嵌入'},
        toDifference: '两图之差见下方',
        control: '同一幅图，作为对照：',
        random: '随机层',
        shuffled: '打乱词序',
        shuffledAgain: '再次打乱词序',
        randomSays: 'b：词嵌入为模型原有，各层的权重随机抽取。b 中也有的，就不是训练的结果。',
        shuffledSays: 'b：同样的词，顺序打乱。b 中也有的，就与词序无关。',
        apart: '两图不能相减。',
        difference: (what, [one, two]) => `${what}：${two} 减 ${one}`,
        same: '两个模型在这里的注意力相同。',
        mostMoved: heads => `全部 ${heads} 个头中差别最大的（注意力移动的份额）：`,
        ofFile: '来自文件的注意力只能单独显示；要并排显示两幅图，请先回到模型。',
        lacks: (name, {layers, heads}, lost, instead) =>
            `${name} 有 ${layers} 层、每层 ${heads} 个头，没有 ${lost.replaceAll(', ', '、')}。` +
            (instead && `这里改为显示 ${instead.replaceAll(', ', '、')}。`),
        otherShape: ([one, two], [a, b]) =>
            `两图不能相减：${one} 有 ${a.layers} 层、每层 ${a.heads} 个头，${two} 有 ${b.layers} 层、每层 ${b.heads} 个头。`,
        otherCount: (a, b) =>
            `两图不能相减：第一个模型把这段文本切成 ${a} 个词元，第二个切成 ${b} 个。`,
        otherTokens: (position, a, b) =>
            `两图不能相减：在第 ${position} 位，第一个模型读到 ${a}，第二个读到 ${b}。`,
    },
    experiments: {
        label: '实验',
        positions: '去掉位置嵌入',
        rotary: '去掉随位置的旋转（RoPE）',
        types: '去掉句段嵌入',
        swap: '交换两个位置',
        swapFew: '文本至少要有两个词元。',
        swapSame: '请选择两个不同的位置。',
        place: at => (at ? '第二个位置' : '第一个位置'),
        noPositions: '这个模型没有可以去掉的位置嵌入。',
        noTypes: '这个模型没有句段嵌入：它不知道一个词属于哪一句。',
        lookFor:
            '看什么：去掉位置后，指向下一个和上一个词元的头会失去方向；去掉句段后，只看本句的头会失去界限。',
        caption:
            '该头在这段文本上有多少注意力符合这种模式，与“查找注意力头”中的数值相同；括号内：平均分配时的数值。',
        even: weight => `（${weight}）`,
        pattern: '模式',
        head: '头',
        before: '之前',
        now: '现在',
        patterns: {next: '下一个词元', previous: '上一个词元', own: '本句'},
        needsB: '“本句”需要填写句子 B。',
    },
    marks: {
        adding: '再按一个词元，就会加到已固定的词元里。',
        open: '标出一条连线…',
        key: '键',
        query: '查询',
        label: '标注',
        mark: '标出',
        cancel: '取消',
        list: '标出的连线',
        remove: '移除标记',
        enough: most => `已标出 ${most} 条连线；先移除一条，才能再标。`,
    },
    /** The menu Save. */
    save: {
        files: {png: 'PNG', html: '网页', svg: 'SVG', csv: 'CSV', json: 'JSON'},
        others: 'SVG、表格、全部注意力',
        own: '尺寸、图注、标题和说明',
        look: {
            legend: '图片（PNG、SVG）',
            caption: '图注：标题和解释',
            cells: '词元旁的小格',
            size: '尺寸',
            sizes: {
                screen: '屏幕',
                column: '论文单栏：84 毫米，300 dpi',
                slide: '幻灯片：16:9，1920 × 1080',
                poster: '海报：400 毫米，300 dpi',
            },
            paper: '背景',
            papers: {page: '背景同网页', light: '白色背景', dark: '深色背景', none: '无背景'},
        },
        hints: {
            svg: '矢量图',
            png: '位图，在任何屏幕上都清晰',
            csv: '表格，供电子表格软件使用',
            json: '表格，数值未经舍入，供程序使用',
            html: '一个文件，含可交互的图；无需联网',
        },
        picture: (kind, what) => `${kind}：${what}`,
        more: {lens: '所示的 logit lens，概率在 0 与 1 之间：'},
        all: '所有层、所有头的注意力：',
        allMoved: '所有层、所有头的传递量 ‖a·v·W_O‖（未归一化）：',
        link: '复制链接',
        share: '分享…',
        shareHint: '放进网页、博客和笔记本的代码',
    },
    own: {
        legend: '可加上自己的标题和说明，会随文件、链接和标签一起带走',
        heading: '标题',
        note: '说明',
        over: (most, over) => `最多显示 ${most} 个字符，末尾的 ${over} 个不会显示。`,
    },
    saved: {
        done: name => `已存为 ${name}`,
        scaled: (name, scale) => `已存为 ${name}，放大 ${scale} 倍：浏览器画不了更大的图`,
        oneLayer: name => `已存为 ${name}，只含当前层；全部层放进一个页面会太大`,
        linkCopied: '已复制链接',
        copyFailed: '浏览器不允许页面复制，请从这里复制：',
        failed: why => `未能保存：${why}`,
        tooMany: (count, most) =>
            `共 ${count.toLocaleString('en')} 个权重，超过这种文本文件最多容纳的 ${most.toLocaleString('en')} 个；请改存 .npy 或 .safetensors`,
        noAttention: layer => `没有第 ${layer} 层的注意力`,
        madeWith: '由 Headlight 生成',
        source: (model, text) => (text ? `模型：${model}。文本：${text}` : `文件：${model}`),
    },
    sheet: {
        lines: '连线从左侧的查询词元指向它所关注的键；越粗越浓，权重越大。',
        only: (side, pieces) =>
            side === 'query' ? `只画出从查询 ${pieces} 出发的线。` : `只画出到键 ${pieces} 的线。`,
        cells: '两侧的小格每头一个：该词元平均得到的权重（右），或给予图中各键的平均权重（左）。',
        signs: '蓝色为正，橙色为负，0 无色。',
        off: names => `已关掉：${names}`,
        zeroed: count => `${count} 个神经元置零`,
        replaced: words => `已替换：${words}`,
        swapped: positions => `位置 ${positions.join(' 与 ')} 已互换`,
        without: {positions: '不用位置嵌入', types: '不用句段嵌入'},
    },
    share: {
        title: '分享此图',
        as: '形式',
        copy: '复制',
        copied: '已复制',
        copyFailed: '浏览器不允许页面复制；文字已选中，请按 Ctrl+C。',
        close: '关闭',
        cors: '要在别的网站上显示，本站的服务器必须允许它们读取（CORS：Access-Control-Allow-Origin: *；GitHub Pages 已允许）；否则只显示里面的静态图片。',
        pieces: {
            code: '粘贴这段文字',
            ask: '或者作为给学生的问题：固定的词元最关注哪个词元？',
            sizer: '如果要让框架随图自动调整高度，每个网页加一次',
            shortcode: '每个网站加一次，存为 layouts/shortcodes/head-light.html',
            frame: '或者用内嵌框架（不允许脚本的网页）',
        },
        kinds: {
            lesson: {
                name: '嵌入本课程',
                where: '课程的全部步骤，连同图、问题和练习单，从当前这一步开始。',
                save: '',
            },
            link: {
                name: '链接',
                where: '打开后就是现在的样子；可用于邮件、聊天，以及任何能放链接的地方。',
                save: '',
            },
            iframe: {
                name: '内嵌框架',
                where: '用于允许 HTML 框架的网页；不影响外面的网页。',
                save: '',
            },
            element: {
                name: '元素',
                save: '',
                where: '用于允许 HTML 和脚本的网页；在不运行脚本的地方（订阅源、打印、搜索引擎）显示里面的图片。',
            },
            markdown: {
                name: 'Markdown',
                save: '保存图片',
                where: '用于 README、GitHub、论坛和邮件简报：把图片存在文章旁边；点击图片会打开本页。',
            },
            html: {
                name: '网页文件',
                save: '保存网页',
                where: '一个文件，含可交互的图；可从磁盘打开，无需联网，也可用邮件发送。',
            },
            jekyll: {
                name: 'Jekyll',
                where: '用于 GitHub Pages 等 Jekyll 网站里的 Markdown 文章。',
                save: '',
            },
            hugo: {
                name: 'Hugo',
                where: '用于 Markdown 文章；Hugo 默认会去掉 Markdown 里的 HTML，所以需要一个 shortcode。',
                save: '',
            },
            quarto: {name: 'Quarto', where: '用于 .qmd 文件和 R Markdown 的 HTML 输出。', save: ''},
            mdx: {
                name: 'MDX',
                where: '用于 MDX（Docusaurus、Astro、Next.js）。图在进入视野时画出；不运行脚本时是一个链接。',
                save: '',
            },
            jupyter: {
                name: 'Jupyter',
                where: '用于 Jupyter、VS Code 或 Colab 的 Python 单元格；笔记本导出成 HTML 后仍在。',
                save: '',
            },
        },
        gallery: {
            link: '看看各种形式的实例',
            other: 'English',
            otherFile: 'gallery.html',
            otherLang: 'en',
            title: '放进其他网页的 Headlight',
            lede: '下面的每张图，都是把 Headlight 页面“分享”对话框给出的文字原样放进来的。权重就写在网页里；只有按下按钮，才会下载模型。',
            home: '打开 Headlight 页面',
            tag: '代码',
            figures: {
                element: {
                    title: '元素',
                    text: '脚本加载之前，以及不运行脚本的地方，这里显示一张图片。第 0 层，注意力头 6：看下一个词。',
                },
                dark: {
                    title: '深色的同一元素',
                    text: 'theme="dark"，与读者系统的设置无关；换了一个注意力头，按词而不是按词元显示。',
                },
                shared: {
                    title: '两张图，一个模型',
                    text: '两个按钮都按一下：模型只下载一次，两张图共用。',
                },
                model: {title: '需要模型的视图', text: '按下按钮之前，只有一张图片。'},
                frame: {
                    title: '框架',
                    text: '它把自己的高度告诉外面的网页；网页会核对消息来源，并把高度限制在 100 到 4000 像素之间。',
                },
                markdown: {
                    title: 'Markdown 里的图片',
                    text: '在别的都不允许的地方用的图片，点击会打开页面。',
                },
                sandbox: {
                    title: '在沙盒里',
                    text: '没有自己的源、也没有存储的框架：srcdoc 加 sandbox="allow-scripts"。',
                },
                policy: {
                    title: '在严格的安全策略下',
                    text: '这个框架里的网页不允许内联脚本和内联样式。',
                },
                bare: {title: '没有 JavaScript', text: '这个框架里不运行任何脚本：图片仍在。'},
            },
        },
    },
    precision: {
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
            fine: '每个值最多 14 位，注意力用 float32；更接近 float32，用时最多增加一半；若不另选，凡有预测之处都用它，那里的数值可能与其他视图略有出入',
            fast: '每个值 8 位，每行最大的几个值另加一个字节，注意力用 13 至 16 位',
        },
        wasm: 'WebAssembly',
        runsOn: (relaxed, count) =>
            `${relaxed ? '宽松 SIMD（relaxed）' : '普通 SIMD'}${count > 1 ? `，至多 ${count} 个线程` : ''}`,
        pass: '上次计算',
        took: (ms, count) => `${count} 个词元用时 ${ms} 毫秒`,
        memory: '内存',
        uses: (all, weights) => `${all ? `${all}，` : ''}其中权重 ${weights}`,

        measured: (model, precision) => `事先测得（${model}，精度：${precision}）`,
        measuredOn: (sentences, rows) =>
            `UD English-EWT 的 ${sentences} 个句子，共 ${rows} 行注意力，包括所有层和注意力头；每句遮住一个词。` +
            '这些是该模型的数字，别的模型可能相差更大。来源：',
        against: {
            same: '对照：同样的 int8 权重，其余用 float32：',
            f32: '对照：舍入之前的 float32 权重：',
        },
        apart: (mean, max, rows, words) =>
            `平均 |Δ 注意力| ${mean}，最大 ${max}；${rows} 的行中权重最大的键不同，${words} 的遮住的词首选词不同。`,
        mean: '平均 |Δ 注意力|',
        max: '相差最大处',
        ofAll: (some, all, share) => `${some} / ${all}（${share}）`,

        here: '对本页的文本',
        about: '在另一个后台线程中用 float32 把这段文本再算一遍，逐个对照页面上的注意力权重。',
        needs: size => `float32 权重约需 ${size} 内存，是 int8 的四倍；用完即释放。`,
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
        rowsChanged: '权重最大的键不同的行',
        wordsChanged: '首选词不同的位置',
        worstAt: ({layer, head, query, key, ours, exact}) =>
            `${headName(layer, head)}：${query} 看 ${key}，此处 ${ours}，float32 为 ${exact}`,
        changeAt: ({index, piece, ours, exact}) =>
            `${index} ${piece}：此处 ${ours}，float32 为 ${exact}`,
        more: count => `另有 ${count} 处`,
    },
};
