/* element - 嵌入别人网页的图（element/element.js）在没有模型时用到的中文，主页面也用；
 * 各语言的这一部分都随首次加载而来，所以要少。
 */
import {runs} from '../runs.js';

/** @type {typeof import('../en/element.js').element} */
export const element = {
    code: 'zh',
    words: {
        query: '查询',
        queryDoes: '在看',
        key: '键',
        keyDoes: '被看',
        figureLabel: '注意力图',
        panelLabel: '所选词元的数值',
    },
    head: {
        queryColumn: '查询词元',
        keyColumn: '键词元',
        looksAt: count => (count === 1 ? '在看' : '合起来在看'),
        lookedAtBy: count => (count === 1 ? '被谁看' : '合起来被谁看'),
        unmaskAll: '恢复原词',
        maskedNote: count => `已遮住 ${count} 个词元`,
        nothing: '没有可显示的内容。',
        shown: ({mix, layer, heads}) =>
            ({
                heads: `L${layer}·H${runs(heads, ', H')}`,
                mean: `L${layer}·H${runs(heads, ', H')} 的平均`,
                layers: `H${runs(heads, ', H')} 在所有层上的平均`,
                rollout: `从输入到第 ${layer} 层的 rollout`,
            })[mix] ?? '',
        wordsNote: '按词（被看：求和；在看：取平均）',
        carriedNote: carried => `连线：每个查询最强的几条，占 ${carried} %`,
        topNote: top => `每个查询最强的 ${top} %`,
        specialsNote: '已隐藏 [CLS]、[SEP]，权重未重新归一化',
        firstNote: '已隐藏第一个词元，权重未重新归一化',
        describe: ({name, tokens, best}) =>
            `注意力图：${name}，共 ${tokens} 个词元。最强的连线：${best.query} 看 ${best.key}，` +
            `${best.head === null ? '' : `注意力头 ${best.head}，`}权重 ${best.weight}。`,
    },
    element: {
        keys: '方向键移动，回车固定，Esc 取消。',
        howTo: name => `${name} 的注意力。指向词元看连线和权重（精确到 1/255）。`,
        run: size => `换成你自己的文本${size && `：需下载 ${size}`}`,
        draw: size => `显示此图${size && `（需下载 ${size}）`}`,
        controls: '选择头和层',
        waiting: '载入中…',
        problem: '没有成功：',
    },
};
