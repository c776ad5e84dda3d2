/* share.zh - “分享”对话框和示例页的中文。
 * 键与 text/share_en.js 一一对应，有测试比对。 */

/** @type {typeof import('./share_en.js').shareEn} */
export const shareZh = {
    title: '分享此图',
    as: '形式',
    copy: '复制',
    copied: '已复制',
    copyFailed: '浏览器不允许本页复制；文字已选中，请按 Ctrl+C。',
    close: '关闭',
    cors: '要在别的网站上显示，本站的服务器必须允许它们读取（CORS：Access-Control-Allow-Origin: *；GitHub Pages 已允许）；否则只显示里面的静态图片。',
    pieces: {
        code: '粘贴这段文字',
        sizer: '如果要让框架随图自动调整高度，每个网页加一次',
        shortcode: '每个网站加一次，存为 layouts/shortcodes/head-light.html',
    },
    kinds: {
        link: {
            name: '链接',
            where: '打开后就是现在的样子；可用于邮件、聊天，以及任何能放链接的地方。',
            save: '',
        },
        iframe: {name: '框架', where: '用于允许 HTML 框架的网页；不影响外面的网页。', save: ''},
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
            where: '一个文件，含可以指点的图；可从磁盘打开，无需联网，也可用邮件发送。',
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
        tag: '它的代码',
        figures: {
            element: {
                title: '元素',
                text: '脚本到来之前，以及不运行脚本的地方，这里显示一张图片。第 0 层，注意力头 6：看下一个词。',
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
};
