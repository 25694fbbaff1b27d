case 5
in String then 1
in [] then 2
end
# raises NoMatchingPatternError: 5
