/* lens - what of the computed attention is looked at: model, layer, heads, pairs. */

import {h} from 'preact';
import {useRef} from 'preact/hooks';
import {headColour, inkOn} from '../draw/colour.js';
import {activeHeads, clampLayer, fewestHeads, FILTERS, filterRanges, soloHead, startOfB, toggleHead} from '../views/select.js';
import {Choice} from './choice.js';

const DOUBLE_MS = 400;

/* One button a head. The first click of a double-click acts at once; the second then counts from the heads
 * that were on before it. */
function Heads({t, state, set, count, theme}) {
    const last = useRef({head: -1, time: 0, before: []});
    const on = activeHeads(state.heads, count);
    const press = (head, event) => {
        const twice = event.detail > 0 && last.current.head === head && event.timeStamp - last.current.time < DOUBLE_MS;
        if (twice || event.shiftKey) {
            set({heads: soloHead(twice ? last.current.before : state.heads, head, count)});
            last.current = {head: -1, time: 0, before: []};
        } else {
            last.current = {head, time: event.timeStamp, before: state.heads};
            set({heads: toggleHead(state.heads, head, count)});
        }
    };
    const solo = (head, event) => {
        if (event.key !== 'Enter' || !event.shiftKey) return;
        event.preventDefault();
        set({heads: soloHead(state.heads, head, count)});
    };
    const chip = head => {
        const colour = headColour(head, theme);
        const style = on.includes(head) ? {background: colour, borderColor: colour, color: inkOn(colour)} : {borderColor: colour};
        return h('button', {key: head, type: 'button', class: 'chip', style, 'aria-pressed': String(on.includes(head)),
            'aria-label': t.headChip(head), onClick: event => press(head, event), onKeyDown: event => solo(head, event)}, head);
    };
    return h('div', {class: 'heads', role: 'group', 'aria-labelledby': 'heads-label', 'aria-describedby': 'heads-hint'},
        h('div', {class: 'label-row'}, h('span', {class: 'label', id: 'heads-label'}, t.heads),
            h('button', {type: 'button', class: 'plain', onClick: () => set({heads: []})}, t.headsAll),
            h('button', {type: 'button', class: 'plain', title: t.headsNoneHint,
                onClick: () => set({heads: fewestHeads(state.heads, count)})}, t.headsNone)),
        h('div', {class: 'chips'}, Array.from({length: count}, (_, head) => chip(head))),
        h('p', {class: 'hint', id: 'heads-hint'}, t.headsHint));
}

function Models({t, state, set, menu, picked, onFiles}) {
    const id = state.model || menu[0]?.id;
    const known = menu.some(entry => entry.id === id);
    const options = menu.map(entry => h('option', {key: entry.id, value: entry.id}, entry.name ?? entry.id));
    if (picked) options.push(h('option', {value: ' picked'}, t.modelLocal(picked)));
    else if (!known) options.push(h('option', {value: id}, id));
    return h('div', {class: 'models'},
        h('label', {for: 'model'}, t.model),
        h('select', {id: 'model', value: picked ? ' picked' : id,
            onChange: event => event.currentTarget.value !== ' picked' && set({model: event.currentTarget.value})}, options),
        h('label', {class: 'plain folder'}, t.modelFolder, h('input', {type: 'file', webkitdirectory: true, multiple: true, class: 'hidden',
            onChange: event => { onFiles([...event.currentTarget.files]); event.currentTarget.value = ''; }})));
}

function Pairs({t, state, set, tokens}) {
    const possible = tokens && startOfB(tokens) >= 0;
    const filter = tokens ? filterRanges(tokens, state.filter).filter : 'all';
    const hint = filter !== 'all' ? t.filterHint : tokens && !possible ? t.filterNeedsB : '\u00a0';
    return h(Choice, {name: 'filter', legend: t.filter, disabled: !possible, value: filter, hint,
        options: FILTERS.map(value => ({value, label: t.filters[value], title: t.filterNames[value]})),
        onChoose: value => set({filter: value})});
}

export function Lens({t, state, set, shown, theme, menu, picked, onFiles}) {
    const {model, pass} = shown;
    return h('div', {class: 'lens'},
        h('div', {class: 'space layers'}, model && h(Choice, {name: 'layer', legend: t.layer, value: clampLayer(state.layer, model),
            options: Array.from({length: model.layers}, (_, layer) => ({value: layer, label: layer, title: t.layerName(layer)})),
            onChoose: layer => set({layer})})),
        h('div', {class: 'space'}, model && h(Heads, {t, state, set, count: model.heads, theme})),
        h(Pairs, {t, state, set, tokens: pass?.tokens}),
        h(Models, {t, state, set, menu, picked, onFiles}));
}
