/* results - what the model's two heads say about the text: does B follow A, and which words could stand at a
 * [MASK]. Probabilities as bars with their numbers. */

import {h} from 'preact';
import {barLength, percent} from '../draw/scale.js';
import {startOfB} from '../views/select.js';

const BAR = 140;

function Probability({name, value}) {
    return h('tr', null, h('th', {scope: 'row'}, name),
        h('td', null, h('span', {class: 'bar', style: {width: `${BAR}px`}, 'aria-hidden': true}, h('i', {style: {width: `${barLength(BAR)(value)}px`}}))),
        h('td', {class: 'number'}, percent(value)));
}

function Fillings({fill, t}) {
    return h('table', null, h('caption', null, t.fillingAt(fill.index)), h('tbody', null, fill.words.map(({id, piece, probability}) =>
        h(Probability, {key: id, name: h('bdi', null, piece), value: probability}))));
}

export function Results({t, pass, fills}) {
    const pair = pass.nextSentence && startOfB(pass.tokens) >= 0;
    if (!pair && !fills.length) return null;
    return h('section', {class: 'results'},
        pair && h('div', null, h('h2', null, t.nextSentence), h('table', null, h('caption', null, t.nextSentenceSays), h('tbody', null,
            h(Probability, {name: t.follows, value: pass.nextSentence[0]}), h(Probability, {name: t.random, value: pass.nextSentence[1]})))),
        fills.length > 0 && h('div', null, h('h2', null, t.fillings),
            h('div', {class: 'fillings'}, fills.map(fill => h(Fillings, {key: fill.index, fill, t})))));
}
