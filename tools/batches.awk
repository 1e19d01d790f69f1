# SPDX-License-Identifier: MIT
# Which host sources are compiled together. Writes them as OUT/<folder>/batch<N>.c, where that changes, and prints a
# variable of make per batch: BATCH_<folder>/batch<N> := <sources>. Small files take most of their time for the start of
# the compiler and for headers. Those of a folder share a batch, in order, where no name that one has for itself gets
# into the way of another:
#   a macro, and a name that some header has too, stands nowhere in the others,
#   any other name (of a function, variable, type, enumerator) is no such name of the others.
# Where this reads a name wrongly, the compiler refuses the batch. Files that ask the C library for more (_GNU_SOURCE)
# share batches of their own.
#   awk -v most=12 -v out=OUT -f tools/batches.awk HEADER... SOURCE...      the folders are there already

function own(name) {
    if (name ~ /^[A-Za-z_]/) owned[name]
}

# Names that a line at the outermost level declares for its file alone. Globals have their line in a header.
function declared(line, part) {
    if (line ~ /^(typedef )?(struct|union|enum) [A-Za-z_0-9]+ \{/) {
        sub(/^typedef /, "", line)
        split(line, part, " ")
        own(part[2])
    } else if (line ~ /^typedef .*;/ || line ~ /^\} [A-Za-z_0-9]+;/) {
        match(line, /[A-Za-z_0-9]+(\[[^\]]*\])?;/)
        line = substr(line, RSTART)
        sub(/[^A-Za-z_0-9].*/, "", line)
        own(line)
    } else if (line ~ /^static /) {
        sub(/ *[;=[(].*/, "", line)
        sub(/.*[^A-Za-z_0-9]/, "", line)
        own(line)
    }
}

# Whether the file at hand can join batch b.
function fits(b, name) {
    if (asks[b] != asking || size[b] >= most) return 0
    for (name in owned) {
        if ((b, name) in owns) return 0
        if (((name in macro) || (name in header)) && (b, name) in words) return 0
    }
    for (name in word) if ((b, name) in strict) return 0
    return 1
}

function join(b, name) {
    while (b <= batches && !fits(b)) b++
    if (b > batches) batches = b
    asks[b] = asking
    size[b]++
    sources[b] = sources[b] " " file
    text[b] = text[b] "#include \"" file "\"\n"
    for (name in word) words[b, name]
    for (name in owned) {
        owns[b, name]
        if ((name in macro) || (name in header)) strict[b, name]
    }
}

function end_folder(b, path, old) {
    for (b = 1; b <= batches; b++) {
        print "BATCH_" folder "/batch" b " :=" sources[b]
        path = out "/" folder "/batch" b ".c"
        old = ""
        while ((getline line < path) > 0) old = old line "\n"
        close(path)
        if (old != text[b]) printf "%s", text[b] >path
        close(path)
    }
    batches = 0
    split("", words); split("", owns); split("", strict); split("", size); split("", sources); split("", text)
}

function end_file(in_folder) {
    if (file == "" || file ~ /\.h$/) return
    in_folder = file
    sub(/\/[^\/]*$/, "", in_folder)
    if (in_folder != folder) end_folder()
    folder = in_folder
    join(1)
}

FNR == 1 {
    end_file()
    file = FILENAME
    split("", word); split("", owned); split("", macro)
    comment = in_enum = asking = 0
}
{
    line = $0
    if (comment && !sub(/.*\*\//, "", line)) next
    comment = 0
    gsub(/"([^"\\]|\\.)*"/, "\"\"", line)
    gsub(/\/\*([^*]|\*+[^*\/])*\*+\//, " ", line)
    sub(/\/\/.*/, "", line)
    comment = sub(/\/\*.*/, "", line)
    count = split(line, part, /[^A-Za-z_0-9]+/)
    if (file ~ /\.h$/) {
        for (i = 1; i <= count; i++) in_headers[part[i]]
        if (line ~ /^(#|typedef|extern|\}|struct|union|enum|    [A-Z])/) for (i = 1; i <= count; i++) header[part[i]]
        while (match(line, /[A-Za-z_][A-Za-z_0-9]*\(/)) {
            header[substr(line, RSTART, RLENGTH - 1)]
            line = substr(line, RSTART + RLENGTH)
        }
        next
    }
    for (i = 1; i <= count; i++) word[part[i]]
    if (line ~ /^# *define/) {
        if (part[3] ~ /_SOURCE$/) asking = 1
        else { own(part[3]); macro[part[3]] }
    } else {
        declared(line)
    }
    if (line ~ /^(typedef |static |const )*enum/) in_enum = 1
    if (in_enum) for (i = 1; i <= count; i++) if (part[i] ~ /^[A-Z][A-Z_0-9]+$/) own(part[i])
    if (line ~ /\}/) in_enum = 0
}
END {
    end_file()
    end_folder()
}
