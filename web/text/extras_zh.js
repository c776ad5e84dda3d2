/* extras.zh - 保存、导览入口、自带注意力的中文里一开始就要显示的部分；其余见 more_zh.js。
 * 键与 text/extras_en.js 一一对应，有测试比对。 */

/** @type {typeof import('./extras_en.js').extrasEn} */
export const extrasZh = {
    desksLabel: '看什么',
    desks: {text: '一段文本', corpus: '一个语料库'},
    save: {
        label: '保存此图',
        files: {svg: 'SVG', png: 'PNG', csv: 'CSV', json: 'JSON', html: '网页'},
        hints: {
            svg: '矢量图',
            png: '两倍大小的图片',
            csv: '表格，供电子表格软件使用',
            json: '表格，数值未经舍入，供程序使用',
            html: '一个文件，含可以指点的图；无需联网',
        },
        link: '复制链接',
        share: '分享…',
        shareHint: '放进网页、博客和笔记本的代码',
        ownHint: '链接里放不下你的文件，存成网页则可以。',
    },
    gallery: {file: 'gallery-zh.html', text: '把 Headlight 放进其他网页'},
    tour: {
        label: '导览',
        names: [
            '下一个词',
            '前一个词',
            '相同的词',
            '另一句里相同的词',
            '能猜出它的词',
            '分隔符',
            '自己的句子',
        ],
    },
    own: {
        open: '自带注意力…',
        drop: '把注意力文件或模型的各个文件拖放到这里',
        part: '哪一种注意力',
        close: '回到模型',
        read: (count, name) => `从 ${name} 读入 ${count} 个词元`,
        lacks: '这个视图不止需要注意力权重，而你的文件里只有权重。注意力头视图和模型视图可以使用。',
    },
};
