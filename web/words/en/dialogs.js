/* dialogs - the English words of the parts of the page that are fetched when first used: remarks
 * below the figure (unknown words, changes that a new text has shed, experiments that are on), a
 * fine-tuned model's answers, where a model comes from, the help for imported attention, what is
 * said after saving, the dialogs of sharing and of precision.
 */
import {headName} from '../../draw/head_name.js';

const NAMES = {encoder: 'encoder', decoder: 'decoder', cross: 'cross-attention'};

export const dialogs = {
    update: {ready: 'A newer version of this page is ready.', reload: 'Reload'},
    fills: {
        title: 'Predictions for [MASK]',
        /** @param {number} position */
        at: position => `[MASK] at position ${position}`,
    },
    refusedModel:
        'The link asks for “#”, which is not a model’s name. Expected: the id of a model in the menu, ' +
        'org/name on the Hugging Face hub, or a URL with https://. Another model is shown; choose yours in the menu.',
    /** What a fine-tuned model says: a heading for each task, then what stands above the numbers. */
    said: {
        decides: 'Which tokens, heads and MLPs is this prediction based on?',
        labels: 'What the model says about this text',
        token_labels: 'What the model says about each token',
        answer: 'The model’s answer',
        replaced: 'Which tokens were replaced',
        textLabels: 'Its labels and their probabilities:',
        numbers: 'Its numbers (regression):',
        originals: 'Below each token: the probability that it was replaced:',
        answers: 'Parts of B that may answer A, with their probabilities (start × end):',
        noAnswer: 'No token of this text can be part of an answer.',
        tokenLabels: 'Below each token: its most probable label:',
        isReplaced: 'replaced',
    },
    from: {
        /** @param {string} name @param {string} commit */
        hub: (name, commit) => `${name}, commit ${commit}, from the hub.`,
        /** @param {string} name @param {string} commit */
        copy: (name, commit) => `${name}, commit ${commit}, from the copy in this browser.`,
        /** @param {string} name @param {string} files */
        disk: (name, files) => `${files}${name ? ` from the folder ${name}` : ''} on your disk.`,
        /** @param {string} name @param {string} files */
        server: (name, files) => `${files} from ${name}`,
        keeping: 'A copy is being kept in this browser.',
        kept: 'A copy is kept in this browser; the next visit needs no network.',
    },
    long: {
        fit: 'Fit to height',
        more: {
            /** @param {number} count */
            above: count => `${count} more above`,
            /** @param {number} count */
            below: count => `${count} more below`,
        },
    },
    remarks: {
        showHint: 'Not shown yet: Enter shows it, Escape undoes.',
        askText: 'Type a word first: there is nothing to look at yet.',
        /** @param {string} head '' for all */
        overCorpus: head => `What ${head || 'each head'} does over many sentences`,
        /** @param {string} head @param {string} word that is pinned, or '' */
        whereElse: (head, word) =>
            word ? `Where else ${head} does this with “${word}”` : `Where else ${head} does this`,
        /** What can be changed in a text or inside the model. */
        changes: {
            masked: 'masked tokens',
            replaced: 'replaced tokens',
            off: 'switched-off heads',
            zeroed: 'neurons at zero',
            without: 'left-out embeddings',
            swapped: 'swapped positions',
            heading: 'title',
            note: 'note',
            marks: 'marked links',
        },
        /** @param {string[]} what */
        shed: what =>
            `This text starts without the ${what.join(', ').replace(/, (?=[^,]*$)/, ' and ')} of the previous one.`,
        shedBack: 'Back to the previous text',
        without: /** @type {Record<string, string>} */ ({
            positions:
                'An experiment is on: the model runs without position embeddings, so it cannot know the order of the words.',
            types: 'An experiment is on: the model runs without segment embeddings, so it cannot know which sentence a word belongs to.',
        }),
        /** @param {number} a @param {number} b */
        swapped: (a, b) =>
            `An experiment is on: the model reads the tokens at positions ${a} and ${b} as if each stood in the other’s place.`,
        end: 'Turn it off',
        /** @param {string[]} what */
        changed: what =>
            `The model runs with your changes: ${what.join(', ').replace(/, (?=[^,]*$)/, ' and ')}.`,
        undo: 'Undo',
        /** @param {number} count @param {string} characters */
        unread: (count, characters) =>
            count === 1
                ? `The model’s vocabulary lacks ${characters}: the model reads [UNK] there, as for any unknown word.`
                : `The model’s vocabulary lacks ${count} of these tokens (${characters}): the model reads [UNK] for each and cannot tell them apart.`,
        readable: 'Use a text it can read',
        /** @param {string} unseen words @param {string} example a text */
        unseen: (unseen, example) =>
            `This model has learnt few words, written apart as in “${example}”. It has never seen ${unseen}: what it makes of that means nothing.`,
        /** @param {string} gap as it was typed @param {string} mask */
        gap: (gap, mask) => `${gap} is no gap to the model. One that it fills is written ${mask}.`,
        /** @param {string} mask */
        fill: mask => `Write ${mask} there`,
        /** @param {{id: string, masked: number, first: string, most: number}} one */
        weak: ({id, masked, first, most}) =>
            `${id} is weak at predicting words: it finds ${masked} % of masked tokens; ${first}, the default, finds ${most} %. The published model has no head for words; this one was added later.`,
        missingTwo:
            'This view is not there yet for a model with an encoder and a decoder. Use the head view, the heat map or the model view.',
        missing:
            'This view needs more than attention weights, and your file has only these. ' +
            'Use the head view or the model view.',
    },
    order: {
        title: 'Sentence order',
        says: 'Are A and B in their original order? The model’s probabilities:',
        names: ['A comes before B', 'B comes before A'],
    },
    similarity: {
        title: 'Sentence similarity',
        ask: 'How similar are the two sentences? This model cannot say; a sentence model can:',
        says: {
            cosine: 'The model reads A alone and B alone, and pools each into one vector. The cosine of the two, from −1 to 1, says how similar they are:',
            dot: 'The model reads A alone and B alone, and pools each into one vector. The dot product of the two says how similar they are; this model was trained with it:',
            euclidean:
                'The model reads A alone and B alone, and pools each into one vector. Minus the distance of the two says how similar they are, at most 0; this model was trained with it:',
            manhattan:
                'The model reads A alone and B alone, and pools each into one vector. Minus the sum of their differences says how similar they are, at most 0; this model was trained with it:',
        },
        kinds: {
            cosine: 'Cosine similarity',
            dot: 'Dot product',
            euclidean: 'Minus the Euclidean distance',
            manhattan: 'Minus the Manhattan distance',
        },
        coming: 'computing…',
        why: {
            ask: 'Why? Token by token',
            title: 'What each pair of tokens adds to the similarity',
            says: 'Each cell: what a token of A (row) and a token of B (column) add; the cells sum to the similarity. Largest first:',
            large: 'The table is too large to be shown.',
            coming: 'computing…',
            files: 'The cells as a file (they sum to the similarity):',
            /** @param {number} n */
            every: n => `One token in ${n} is labelled: there is no room for all.`,
            several: {
                open: 'Several texts: each with each',
                /** @param {number} most */
                hint: most => `One text a line, at most ${most}:`,
                go: 'Compare all',
                few: 'Type at least two texts, one a line.',
                /** @param {number} most @param {number} now */
                many: (most, now) => `At most ${most} texts; these are ${now}. Leave some out.`,
                coming: 'computing…',
                title: 'Similarity of each text with each',
                says: 'Press a number to see which pairs of tokens it comes from.',
                /** @param {number} a @param {number} b @param {string} value */
                pair: (a, b, value) =>
                    `Text ${a} and text ${b}: ${value}. Show the pairs of tokens`,
                axes: {down: 'text', across: 'text'},
                files: 'These numbers as a file:',
            },
        },
    },
    question: {
        host: 'This model is on another site. Download it from',
        hostWhy:
            'The site sees your visit, and its file is shown unchecked. The link or tag names it; this page does not know it.',
        hostYes: 'Download it',
        /** @param {string} size */
        size: size => `This is a download of ${size}:`,
        sizeWhy:
            'From the hub or a site, straight into this page; nothing is installed. Models from the hub are kept in this browser at a quarter of their size, so that the next visit needs no network.',
        /** @param {string} size */
        sizeYes: size => `Download ${size}`,
        no: 'No, thanks',
    },
    models: {
        title: 'Another model',
        name: 'Name on the Hugging Face hub, or URL of a folder',
        load: 'Load',
        hint: 'org/name, org/name@revision, the URL of its page, or the https:// URL of a folder with config.json. It runs in this page; nothing is sent anywhere.',
        refused:
            'This is not a model’s name. Expected: org/name, such as google-bert/bert-base-uncased, or a URL that begins with https://.',
        known: 'Well-known models',
        knownHint: 'Approximate download sizes. Above 50 MB the page asks first.',
        kept: 'Kept in this browser',
        /** @param {string} size */
        keptSum: size => `${size} in all. They load without a network.`,
        keptNone: 'None yet: models from the hub are kept once they have loaded.',
        commit: 'Commit',
        delete: 'Delete',
        /** @param {string} name */
        deleteName: name => `Delete the copy of ${name}`,
        /** @param {string} name */
        deleted: name => `The copy of ${name} has been deleted.`,
        disk: 'From your disk',
        folder: 'Choose a folder…',
        files: 'Choose files…',
        diskHint:
            'config.json, tokenizer.json or vocab.txt, and model.safetensors or its parts. They, or their folder, can also be dropped on the page. Nothing is uploaded.',
        close: 'Close',
    },
    /** Of a model with an encoder and a decoder. */
    two: {
        texts: {textA: 'Source', textB: 'Target', textBNone: 'empty: the model writes it'},
        /** @param {string} part */
        of: part =>
            ({
                encoder: 'The source’s tokens look at each other.',
                decoder: 'The target’s tokens look at those before them, and at themselves.',
                cross: 'The target’s tokens look at the source.',
            })[part] ?? '',
        written: 'The model has written this target, its most probable token each time.',
        keep: 'Keep it as the target',
        given: 'This target was given.',
        write: 'Let the model write it',
        rows: 'What each row reads and predicts',
        shift: 'The decoder reads its start token first, then the target; so row t reads token t − 1 and predicts token t. A weight in that row led to the token that it predicts, which is beside it.',
    },
    imported: {
        more: 'More',
        part: 'Which attention',
        // how to read the head view, where no token can be masked
        point:
            'Point at a token to see only its lines; their numbers appear here. Press to pin it, with Shift to add another. ' +
            'Keyboard: arrows, Enter, Shift+Enter, Escape.',
        title: 'Attention from your own model',
        intro:
            'Save the attention of any model in Python as one safetensors file, then open it here or drop it anywhere on ' +
            'this page. It is read on your device and sent nowhere.',
        choose: 'Choose a file…',
        close: 'Close',
        single: 'BERT, GPT and other single-stack models',
        pair: 'Encoder and decoder (T5, BART, Marian): instead of the last two lines',
        copy: 'Copy',
        copied: 'Copied',
        copyFailed: 'Select the lines and copy them.',
        needs: 'Needs transformers, torch and safetensors. attn_implementation="eager" makes the model keep its attention.',
        rules:
            'Tensors: attention.<layer> [heads, tokens, tokens], decoder.<layer>, cross.<layer> [heads, decoder tokens, ' +
            'encoder tokens]; F32, F16 or BF16. Metadata: tokens, decoder_tokens and, if you like, sentences, each a JSON list.',
        others: 'Also read: .json, .csv and .npy files saved by this page; JSON from BertViz and dodrio; any .npy or JSON array [layers, heads, tokens, tokens], with or without a batch of 1.',
        numbered:
            'The file contains no tokens; their positions are shown instead. JSON can contain both: {"tokens": […], "attention": […]}.',
        /** @param {string[]} names */
        ignored: names =>
            `Not read: ${names.slice(0, 5).join(', ')}${names.length > 5 ? ', …' : ''}.`,
        /** @param {{name: string, count: number, head: number, row: number, sum: number}} odd */
        odd: ({name, count, head, row, sum}) =>
            `${name}: ${count} ${count === 1 ? 'row does' : 'rows do'} not sum to 1 ` +
            `(first: head ${head}, row ${row}, sum ${sum.toFixed(3)}).`,
        /** @param {keyof typeof NAMES} part */
        partName: part => NAMES[part],
    },
    beside: {
        label: 'Side by side',
        short: 'Compare',
        hint: 'A second figure beside this one. What you point at or pin in one is shown in both.',
        kinds: {
            head: 'Another head',
            token: 'All tokens and one token',
            text: 'Another text',
            view: 'Its neuron view',
        },
        patternView: 'Its lines (head view)',
        with: 'Another model',
        none: 'none',
        other: 'Load another…',
        end: 'Back to one figure',
        head: 'Head',
        text: 'Text of b',
        textB: 'Second sentence of b',
        show: 'Show',
        all: 'All tokens',
        /** @param {string} side of the pinned tokens @param {string} pieces */
        of: (side, pieces) => (side === 'query' ? `From ${pieces}` : `To ${pieces}`),
        pick: 'Press a token',
        /** What a model reads, of one text that two figures show. @param {string} pieces */
        masked: pieces => `[MASK] at ${pieces}`,
        /** @param {string} pieces */
        replaced: pieces => `another word at ${pieces}`,
        /** @param {string} pieces */
        swapped: pieces => `swapped: ${pieces}`,
        typed: 'as typed',
        without: /** @type {Record<string, string>} */ ({
            positions: 'without position embeddings',
            types: 'without segment embeddings',
            '': 'with all embeddings',
        }),
        toDifference: 'Their difference, below',
        control: 'The same picture, as a control:',
        random: 'random layers',
        shuffled: 'words shuffled',
        shuffledAgain: 'words shuffled again',
        randomSays:
            'b: the model’s own embeddings, all layers drawn at random. What b shows as well, training has not put there.',
        shuffledSays:
            'b: the same words in another order. What b shows as well does not need their order.',
        apart: 'The two cannot be subtracted.',
        /** @param {string} what @param {string[]} names of the two models */
        difference: (what, [one, two]) =>
            `${what[0].toUpperCase()}${what.slice(1)}: ${two} minus ${one}`,
        same: 'Both models give the same attention here.',
        /** @param {number} heads */
        mostMoved: heads =>
            `Of all ${heads} heads these differ most (share of the attention that has moved):`,
        ofFile: 'Attention from a file is shown alone: for two figures, go back to the model.',
        /** @param {string} name @param {{layers: number, heads: number}} size @param {string} lost
         * @param {string} instead */
        lacks: (name, {layers, heads}, lost, instead) =>
            `${name} has ${layers} layers of ${heads} heads, and so no ${lost}.` +
            (instead && ` Shown instead: ${instead}.`),
        /** @param {string[]} names @param {{layers: number, heads: number}[]} sizes */
        otherShape: ([one, two], [a, b]) =>
            `The two cannot be subtracted: ${one} has ${a.layers} layers of ${a.heads} heads, ${two} has ` +
            `${b.layers} of ${b.heads}.`,
        /** @param {number} a @param {number} b */
        otherCount: (a, b) =>
            `The two cannot be subtracted: the first model reads this text as ${a} tokens, the second as ${b}.`,
        /** @param {number} position @param {string} a @param {string} b */
        otherTokens: (position, a, b) =>
            `The two cannot be subtracted: at position ${position} the first model reads ${a}, the second ${b}.`,
    },
    experiments: {
        label: 'Experiments',
        positions: 'No position embeddings',
        rotary: 'No rotation by position (RoPE)',
        types: 'No segment embeddings',
        swap: 'Swap two positions',
        swapFew: 'This needs a text of two tokens or more.',
        swapSame: 'Choose two different positions to swap.',
        /** @param {number} at 0 or 1 */
        place: at => String(at ? 'Second position' : 'First position'),
        noPositions: 'This model has no position embeddings that could be taken away.',
        noTypes:
            'This model has no segment embeddings: it is not told which sentence a word belongs to.',
        lookFor:
            'What to look for: without positions, heads of the next and the previous token lose their aim; ' +
            'without segments, heads that attend within their sentence change.',
        caption:
            'How much of the head’s attention does this on this text, as in “Find a head”; in brackets: with uniform attention.',
        /** @param {string} weight */
        even: weight => `(${weight})`,
        pattern: 'Pattern',
        head: 'Head',
        before: 'Before',
        now: 'Now',
        patterns: /** @type {Record<string, string>} */ ({
            next: 'next token',
            previous: 'previous token',
            own: 'own sentence',
        }),
        needsB: 'The head of its own sentence needs a sentence B.',
    },
    marks: {
        adding: 'Now press another token: it is added to the pinned ones.',
        open: 'Mark a line…',
        key: 'Key',
        query: 'Query',
        label: 'Label',
        mark: 'Mark',
        cancel: 'Cancel',
        list: 'Marked lines',
        remove: 'Remove the mark',
        /** @param {number} most */
        enough: most => `${most} lines are marked; remove one to mark another.`,
    },
    /** The menu Save. */
    save: {
        files: {png: 'PNG', html: 'Web page', svg: 'SVG', csv: 'CSV', json: 'JSON'},
        others: 'SVG, tables, all attention',
        own: 'Size, caption, title and note',
        look: {
            legend: 'Pictures (PNG, SVG)',
            caption: 'Caption: title and explanation',
            cells: 'Small cells beside the tokens',
            size: 'Size',
            sizes: {
                screen: 'screen',
                column: 'column of a paper: 84 mm, 300 dpi',
                slide: 'slide: 16:9, 1920 × 1080',
                poster: 'poster: 400 mm, 300 dpi',
            },
            paper: 'Background',
            papers: {
                page: 'background as on the page',
                light: 'white background',
                dark: 'dark background',
                none: 'no background',
            },
        },
        hints: {
            svg: 'A vector picture',
            png: 'Pixels, sharp on any screen',
            csv: 'The table for spreadsheets',
            json: 'The table with unrounded numbers, for programs',
            html: 'One file with the interactive figure; works without a network',
        },
        /** @param {string} kind @param {string} what */
        picture: (kind, what) => `${kind}: ${what}`,
        all: 'The attention of every layer and head:',
        /** Other tables of a view, by id. */
        more: /** @type {Record<string, string>} */ ({
            lens: 'The logit lens as shown, probabilities from 0 to 1:',
        }),
        allMoved: 'What every head moves, ‖a·v·W_O‖ unscaled:',
        link: 'Copy link',
        share: 'Share…',
        shareHint: 'Tags for pages, blogs and notebooks',
    },
    own: {
        legend: 'Your own title and note: in saved files, links and tags as well',
        heading: 'Title',
        note: 'Note',
        /** @param {number} most @param {number} over */
        over: (most, over) =>
            `At most ${most} characters are shown; the last ${over} ${over === 1 ? 'is' : 'are'} left out.`,
    },
    saved: {
        /** @param {string} name */
        done: name => `Saved as ${name}`,
        /** @param {string} name @param {string} scale */
        scaled: (name, scale) =>
            `Saved as ${name}, at ${scale} times the size: browsers cannot draw larger pictures`,
        /** @param {string} name */
        oneLayer: name =>
            `Saved as ${name}, with only the layer shown; all layers would be too large for one page`,
        linkCopied: 'Link copied',
        copyFailed: 'The browser does not let this page copy; copy it from here:',
        /** @param {string} why */
        failed: why => `This could not be saved: ${why}`,
        /** @param {number} count @param {number} most */
        tooMany: (count, most) =>
            `${count.toLocaleString('en')} weights are more than the ${most.toLocaleString('en')} that a text file may hold here; save .npy or .safetensors instead`,
        /** @param {number} layer */
        noAttention: layer => `the attention of layer ${layer} is missing`,
        madeWith: 'Made with Headlight',
        /** @param {string} model @param {string} text */
        source: (model, text) => (text ? `Model: ${model}. Text: ${text}` : `File: ${model}`),
    },
    sheet: {
        lines: 'A line runs from the query, on the left, to the key that it looks at; the thicker and stronger the line, the greater the weight.',
        /** @param {string} side @param {string} pieces */
        only: (side, pieces) =>
            side === 'query'
                ? `Drawn are only the lines from the query ${pieces}.`
                : `Drawn are only the lines to the key ${pieces}.`,
        cells: 'Small cells outside, one per head: the mean weight that a token receives (right) or gives to the keys shown (left).',
        signs: 'Blue is positive, orange negative; 0 has no colour.',
        /** @param {string} names */
        off: names => `switched off: ${names}`,
        /** @param {number} count */
        zeroed: count => `${count} ${count === 1 ? 'neuron' : 'neurons'} at zero`,
        /** @param {string} words */
        replaced: words => `replaced: ${words}`,
        /** @param {readonly number[]} positions */
        swapped: positions => `positions ${positions.join(' and ')} swapped`,
        without: /** @type {Record<string, string>} */ ({
            positions: 'no position embeddings',
            types: 'no segment embeddings',
        }),
    },
    share: {
        title: 'Share this figure',
        as: 'As',
        copy: 'Copy',
        copied: 'Copied',
        copyFailed: 'The browser does not let this page copy; the text is selected, press Ctrl+C.',
        close: 'Close',
        cors:
            'Pages on other sites can show it only if the server of this site allows it (CORS: Access-Control-Allow-Origin: *; GitHub Pages does). ' +
            'Otherwise they show the still picture inside.',
        pieces: {
            code: 'The text to paste',
            ask: 'Or a question for a class: which token does the pinned one attend to most?',
            sizer: 'Once per page, if frames should take the height of their figures',
            shortcode: 'Once per site, as layouts/shortcodes/head-light.html',
            frame: 'Or a frame, for pages without scripts',
        },
        kinds: {
            lesson: {
                name: 'Embed this lesson',
                where: 'All its steps with their figures, questions and worksheet, from this step on.',
                save: '',
            },
            link: {
                name: 'Link',
                where: 'Opens this page as it is now; for mail, chat and anywhere a link can go.',
                save: '',
            },
            iframe: {
                name: 'Frame',
                where: 'For any page that allows HTML frames; the page around it is not affected.',
                save: '',
            },
            element: {
                name: 'Element',
                save: '',
                where: 'For pages that allow HTML with scripts; where scripts do not run (feeds, print, search engines), the picture inside is shown.',
            },
            markdown: {
                name: 'Markdown',
                save: 'Save the picture',
                where: 'For README files, GitHub, forums and newsletters: save the picture beside your text; it links to this page.',
            },
            html: {
                name: 'Web page',
                save: 'Save the web page',
                where: 'One file with the interactive figure; opens from disk, needs no network, can be sent by mail.',
            },
            jekyll: {
                name: 'Jekyll',
                where: 'For posts in Markdown on GitHub Pages and other Jekyll sites.',
                save: '',
            },
            hugo: {
                name: 'Hugo',
                where: 'For posts in Markdown; the shortcode is needed because Hugo removes HTML from Markdown.',
                save: '',
            },
            quarto: {
                name: 'Quarto',
                where: 'For HTML output of .qmd files and R Markdown.',
                save: '',
            },
            mdx: {
                name: 'MDX',
                where: 'For MDX (Docusaurus, Astro, Next.js). The figure is drawn when it is seen; without script there is a link.',
                save: '',
            },
            jupyter: {
                name: 'Jupyter',
                where: 'For a Python cell in Jupyter, VS Code or Colab; stays in the notebook when it is exported as HTML.',
                save: '',
            },
        },
        gallery: {
            link: 'Live examples',
            other: '中文',
            otherFile: 'gallery-zh.html',
            otherLang: 'zh',
            title: 'Headlight in other pages',
            lede:
                'Each figure below uses exactly the code that the Share dialog of the Headlight page gives you. The weights ' +
                'are in the page; a model is loaded only when you press its button.',
            home: 'To the Headlight page',
            tag: 'Code',
            figures: {
                element: {
                    title: 'The element',
                    text:
                        'A picture is shown here until the script has loaded, and where no script runs. ' +
                        'Layer 0, head 6: the next word.',
                },
                dark: {
                    title: 'The same in dark',
                    text: 'theme="dark", whatever the reader’s system prefers; another head, by words instead of tokens.',
                },
                shared: {
                    title: 'Two figures, one model',
                    text: 'Press the button of both: the model is fetched once, and both use it.',
                },
                model: {
                    title: 'A view that needs the model',
                    text: 'There is only a picture until the button is pressed.',
                },
                frame: {
                    title: 'A frame',
                    text: 'It tells its height to the page around it, which checks the sender and keeps it between 100 and 4000 px.',
                },
                markdown: {
                    title: 'A picture in Markdown',
                    text: 'A picture that links to the page, for places where nothing else is allowed.',
                },
                sandbox: {
                    title: 'In a sandbox',
                    text: 'A frame without its own origin and without storage: srcdoc with sandbox="allow-scripts".',
                },
                policy: {
                    title: 'Under a strict policy',
                    text: 'The page in this frame allows no inline script and no inline style.',
                },
                bare: {
                    title: 'Without JavaScript',
                    text: 'A frame in which no script runs: the picture stays.',
                },
            },
        },
    },
    precision: {
        title: 'How exact these numbers are',
        close: 'Close',
        now: 'What runs now',
        weights: 'Weights',
        stores: {
            q8: 'int8, one scale for each output',
            f32: 'float32, as in the file: nothing is rounded, so there is nothing to choose',
        },
        activations: 'Activations',
        precisions: {fine: 'fine', fast: 'fast'},
        precisionHints: {
            fine: 'up to 14 bits per value, attention in float32; closer to float32, but takes up to half as long again; unless you choose, used where something is predicted: numbers there can differ a little from those of other views',
            fast: '8 bits per value, a second byte for the few largest values of a row, attention on 13 to 16 bits',
        },
        wasm: 'WebAssembly',
        /** @param {boolean} relaxed @param {number} count 0: not known */
        runsOn: (relaxed, count) =>
            `${relaxed ? 'relaxed SIMD' : 'plain SIMD'}${count > 1 ? `, up to ${count} threads` : ''}`,
        pass: 'Last pass',
        /** @param {string} ms @param {number} count */
        took: (ms, count) => `${ms} ms for ${count} ${count === 1 ? 'token' : 'tokens'}`,
        memory: 'Memory',
        /** @param {string} all @param {string} weights */
        uses: (all, weights) => `${all ? `${all}, ` : ''}${weights} of it weights`,

        /** @param {string} model @param {string} precision */
        measured: (model, precision) => `Measured once, on ${model}, precision ${precision}`,
        /** @param {number} sentences @param {string} rows */
        measuredOn: (sentences, rows) =>
            `${sentences} sentences of UD English-EWT, ${rows} rows of attention, all layers and heads, one ` +
            'masked word per sentence. These figures are for this model; another one may differ more. Source:',
        against: {
            same: 'Against the same int8 weights, the rest in float32:',
            f32: 'Against the float32 weights they were rounded from:',
        },
        /** @param {string} mean @param {string} max @param {string} rows @param {string} words */
        apart: (mean, max, rows, words) =>
            `mean |Δ attention| ${mean}, largest ${max}; ${rows} of rows have a different top key, ` +
            `${words} of masked words a different top prediction.`,
        mean: 'Mean |Δ attention|',
        max: 'Largest difference',
        /** @param {string} some @param {string} all @param {string} share */
        ofAll: (some, all, share) => `${some} of ${all} (${share})`,

        here: 'On the text of the page',
        about: 'Computes this text again in float32, in a separate worker, and compares every attention weight with the one shown.',
        /** @param {string} size */
        needs: size =>
            `float32 weights need about ${size} of memory, four times as much as int8; it is freed afterwards.`,
        run: 'Recompute in float32 and compare',
        again: 'Compare again',
        cancel: 'Cancel',
        cancelled: 'Cancelled.',
        steps: {
            /** @param {string} amount */
            load: amount => `Loading the weights as float32${amount && `: ${amount}`}`,
            /** @param {string} amount */
            maps: amount => `Comparing layers: ${amount}`,
            /** @param {string} amount */
            words: amount => `Comparing predictions: ${amount}`,
        },
        /** @param {number} done @param {number} total */
        amount: (done, total) => `${done} of ${total}`,
        moved: 'The page is now computing something else. When it is done, compare again.',
        failed: 'This did not work:',
        failedHelp:
            'The page is as it was. If memory is short, close other tabs and programs, or use a smaller model or a shorter text, and try again.',
        codes: {
            true:
                'The checkpoint itself is int8: both sides have the same weights, int8 codes times their scales. What differs is the rest: ' +
                'float32 activations and sums instead of rounded ones. The weights before rounding are not in the file.',
            false: 'The checkpoint holds floats: a float32 pass with these weights is compared with one of int8 weights made from them and rounded activations.',
        },
        /** @param {string} precision @param {number} count @param {string} ms */
        compared: (precision, count, ms) =>
            `Precision ${precision}, ${count} ${count === 1 ? 'token' : 'tokens'}; the pass in float32 took ${ms} ms.`,
        rowsChanged: 'Rows with a different top key',
        wordsChanged: 'Positions with a different top prediction',
        /** @param {{layer: number, head: number, query: string, key: string, ours: string, exact:
         *     string}} place */
        worstAt: ({layer, head, query, key, ours, exact}) =>
            `${headName(layer, head)}: ${query} looks at ${key}, ${ours} here, ${exact} in float32`,
        /** @param {{index: number, piece: string, ours: string, exact: string}} place */
        changeAt: ({index, piece, ours, exact}) =>
            `${index} ${piece}: ${ours} here, ${exact} in float32`,
        /** @param {number} count */
        more: count => `and ${count} more`,
    },
};
