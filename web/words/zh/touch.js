/* touch - 触屏上的中文：手指代替鼠标的地方，用这里的话替换 page.js 和 views.js 中的说法。
 */
import {overlay} from '../overlay.js';

const said = {
    headsHint: '双击：只看这个头。',
    pointHint: '点图中的一处，数值就显示在这里。',
    head: {
        howTo: {
            1: '点一个词元，就只显示它的连线和数值。数值旁的按钮可以再加几个词元，或把它遮住（换成 [MASK]）；再点一下就取消固定。',
        },
    },
    modelView: {howTo: {1: '点一个头，可以放大并看它的数值。'}},
    neuron: {
        howTo: {
            1: '蓝色为正，橙色为负。点一个查询，可看它的各行。点一个单元格，数值显示在下方；旁边的“置零”把这个头所有查询中的该神经元置零。',
        },
    },
    steps: {
        howTo: {
            0: '用这个模型、这段文本的真实数值，把自注意力一步一步算给你看。选一个词元、一层和一个头，用按钮前进。蓝色为正，橙色为负。',
        },
        point: '点单元格可读出数值。',
    },
};

export const touch = {
    said,
    /** @param {any} page */
    over: page => overlay(page, said),
};
