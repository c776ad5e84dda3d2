// mask_source - blanks out what is not code, so that rules about words can be checked with plain
// searches. Comments (and, when asked, the text of strings, templates and regular expressions)
// become spaces; line breaks stay, so positions and line numbers do. Knows C and JavaScript well
// enough for that, and no more.

const BEFORE_REGEX =
    /(?:^|[(,=:[!&|?{};+\-*%~^<>]|\b(?:return|typeof|case|in|of|new|delete|void|throw|await|yield))$/;

const blank = text => text.replace(/[^\n]/g, ' ');

// Where the quoted text that begins at `from` ends (behind its closing quote, or at the end of the
// line).
function quotedEnd(text, from) {
    let i = from + 1;
    while (i < text.length && text[i] !== text[from] && text[i] !== '\n')
        i += text[i] === '\\' ? 2 : 1;
    return Math.min(i + 1, text.length);
}

function regexEnd(text, from) {
    let i = from + 1;
    for (
        let inClass = false;
        i < text.length && text[i] !== '\n' && (inClass || text[i] !== '/');
        i++
    ) {
        if (text[i] === '\\') i++;
        else if (text[i] === '[') inClass = true;
        else if (text[i] === ']') inClass = false;
    }
    return Math.min(i + 1, text.length);
}

// A template is text up to its end or to a "${"; what follows that is code again.
function templateEnd(text, from) {
    let i = from + 1;
    while (i < text.length && text[i] !== '`' && !text.startsWith('${', i))
        i += text[i] === '\\' ? 2 : 1;
    return Math.min(text[i] === '$' ? i + 2 : i + 1, text.length);
}

const endOr = (index, text) => (index < 0 ? text.length : index);

/**
 * The next piece that is no code: {end, comment}, or null when there is code at `from`.
 * `open` is a stack: how many braces are open inside each "${" of a template.
 */
function pieceAt(text, from, before, isScript, open) {
    const c = text[from];
    if (text.startsWith('/*', from))
        return {end: endOr(text.indexOf('*/', from + 2) + 2 || -1, text), comment: true};
    if (text.startsWith('//', from))
        return {end: endOr(text.indexOf('\n', from), text), comment: true};
    if (c === '"' || c === "'") return {end: quotedEnd(text, from)};
    if (!isScript) return null;
    const closes = c === '}' && open.length > 0 && open[open.length - 1] === 0;
    if (closes) open.pop();
    if (c === '`' || closes) {
        const end = templateEnd(text, from);
        if (text[end - 1] === '{' && text[end - 2] === '$') open.push(0);
        return {end};
    }
    if (c === '/' && BEFORE_REGEX.test(before.trimEnd())) return {end: regexEnd(text, from)};
    return null;
}

/**
 * @param {string} text
 * @param {{isScript: boolean, strings: boolean}} options  isScript: JavaScript, else C; strings:
 *                                                         blank these too
 */
export function maskSource(text, {isScript, strings}) {
    let out = '',
        code = '';
    const open = [];
    for (let i = 0; i < text.length;) {
        const piece = pieceAt(text, i, code, isScript, open);
        if (!piece) {
            if (open.length && text[i] === '{') open[open.length - 1]++;
            if (open.length && text[i] === '}') open[open.length - 1]--;
            out += text[i];
            code = (code + text[i++]).slice(-40);
            continue;
        }
        const part = text.slice(i, piece.end);
        out += piece.comment || strings ? blank(part) : part;
        if (!piece.comment) code = part.endsWith('${') ? '(' : 'x';
        i = piece.end;
    }
    return out;
}
